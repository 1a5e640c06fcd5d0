/** Data of the inspector, as the control plane sends it (types only). */
import type { ReadRule } from '../../../service/faults/faults.js'
import type { LimitsView } from '../../../service/limits/limits.js'
import type { Lobby } from '../../../model/lobby.js'
import type { LoggedRequest } from '../../../api/request/request-log.js'
import type { TokenCount } from '../../../state/records.js'
import type { SnapshotEntry } from '../../../state/snapshot.js'
import type {
  GatewayEventView as GatewayEvent,
  GatewaySessionView as GatewaySession,
} from '../../../service/gateway/gateway-controls.js'
import type { EventDelivery } from '../../../service/webhooks/event-controls.js'

export type { EventDelivery, GatewayEvent, GatewaySession, LimitsView }

/** A logged request, numbered in the order in which they ended. */
export interface ListedRequest extends LoggedRequest {
  serial: number
}

/** A fault rule as the emulator keeps it. */
export type SetFault = ReadRule

export interface PlayerEntry {
  id: string
  username: string
  globalName: string | null
}

/** Valid tokens of one kind that a player has. */
export type TokenEntry = TokenCount

export interface GuildEntry {
  id: string
  name: string
  channels: { id: string; name: string }[]
  /** Members by id, with the names of their roles. */
  members: { id: string; roles: string[] }[]
}

/** A command, and the rule that keeps a member from it. */
export interface AccessEntry {
  id: string
  name: string
  type: number
  /** True for a guild command. */
  local: boolean
  /** Absent if the member may use the command. */
  because?: string
}

/** A registered command. */
export interface CommandEntry {
  id: string
  name: string
  type: number
  /** Name of the guild; absent for a global command. */
  guild?: string
  /** Null for all contexts. */
  contexts: number[] | null
  /** `default_member_permissions`: bits as a decimal string, or null for every member. */
  permissions: string | null
  nsfw: boolean
}

export interface LobbyEntry {
  lobby: Lobby
  /** Epoch milliseconds of the emulator's clock at which the lobby closes without use. */
  closesAt?: number
}

/** Everything that the inspector shows beside the requests. */
export interface Overview {
  url: string
  /** Epoch milliseconds of the emulator's clock. */
  now: number
  /** True while the clock stands. */
  frozen: boolean
  application: { id: string; name: string }
  players: PlayerEntry[]
  tokens: TokenEntry[]
  guilds: GuildEntry[]
  /** Global commands first. */
  commands: CommandEntry[]
  lobbies: LobbyEntry[]
  faults: SetFault[]
  limits: LimitsView
  /** Address of the Activity's host page. */
  activity: string | null
}

export interface Webhooks {
  url: string | null
  deliveries: EventDelivery[]
}

/** Where bots connect, and their sessions. */
export interface GatewayOverview {
  url: string
  sessions: GatewaySession[]
}

export type Snapshots = SnapshotEntry[]

/** Sends a change to the control plane, and shows `done` when it succeeded. Returns whether it did. */
export type Act = (path: string, body: object, done: string) => Promise<boolean>
