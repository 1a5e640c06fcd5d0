/** Programming interface of a running emulator (types only). */
import type { ActivityControls } from '../../service/activity/activity-controls.js'
import type { LocalProgram, LocalProgramInput } from '../../service/local-program/local-program-controls.js'
import type { ServiceEvent } from '../../model/service-event.js'
import type { EventControls } from '../../service/webhooks/event-controls.js'
import type { GatewayControls } from '../../service/gateway/gateway-controls.js'
import type { InteractionControls } from '../../service/interactions/interaction-controls.js'
import type { ClockChange, ClockState } from '../../state/clock.js'
import type { FaultRule } from '../../service/faults/faults.js'
import type { LoggedRequest } from '../request/request-log.js'
import type { LimitsView } from '../../service/limits/limits.js'
import type { LimitsInput } from '../../service/limits/settings.js'
import type { Snapshot } from '../../state/snapshot.js'
import type { ApprovalInput, DeviceApprovalInput } from '../../tools/consent-driver/approve-authorization.js'

export type { Snapshot }

export interface EmulatorApplication {
  id: string
  name: string
  redirectUris: string[]
  /** Applications of the same publisher that use this one's sign-in. */
  children: { id: string; name: string }[]
  clientSecret: string
  botToken: string
  /** Ed25519, 64 hexadecimal digits. */
  publicKey: string
}

export interface EmulatorUser {
  id: string
  username: string
  globalName: string | null
  /** URL of an SVG. */
  avatar: string
}

export interface Emulator {
  readonly url: string
  /** URLs for other devices, if `host` makes the emulator available to them. */
  readonly networkUrls: string[]
  readonly application: EmulatorApplication
  readonly users: EmulatorUser[]
  readonly controlToken: string
  /** The last 1000 requests, oldest first. */
  readonly requests: LoggedRequest[]
  /** Submits the consent page for a player; resolves with the callback URL, which has not been loaded yet. */
  authorize(url: string, choice: ApprovalInput): Promise<{ redirect: string }>
  /** Moves the emulator's clock forward by milliseconds: tokens, codes and all deadlines age at once. */
  advance(ms: number): void
  /**
   * Changes the emulator's clock: advances it, sets its offset from the machine's time, or freezes it. Returns its state. A clock that goes
   * back resets the usage of all limits; a restart lets a frozen clock run.
   */
  clock(change?: ClockChange): ClockState
  /** Sets the faults of the next requests and replaces all earlier rules; returns the remaining ones. */
  faults(rules?: FaultRule | FaultRule[]): FaultRule[]
  /** Sets rate limits, by profile or individually; returns all limits and their usage. */
  limits(input?: LimitsInput): LimitsView
  /** Expires a player's access tokens (or refresh tokens), or revokes all that the player granted. */
  tokens(request: TokenRequest): void
  /** Approves or denies a device code for a player: drives the activation page over HTTP. */
  device(choice: DeviceApprovalInput): Promise<void>
  /**
   * Deletes sessions, grants, tokens, installations, commands, faults, logged requests and usage of limits; keeps application and
   * credentials.
   */
  reset(): void
  /**
   * Copies the state as JSON: grants with their tokens, installations, commands, accounts, lobbies and the time. Not the credentials, the
   * chat, running Activities, faults, limits and logged requests.
   */
  snapshot(): Snapshot
  /** Replaces the state with a snapshot. @throws EmulatorError `bad_request` if it is none; the state is unchanged then. */
  restore(snapshot: Snapshot): void
  /** Subscribes to the service's events; returns a function that unsubscribes. */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  /** Launches the Activity, and lists its participants. */
  readonly activity: ActivityControls
  /**
   * Starts the service's program on a player's computer: a socket for presence, invitations and join requests of a game in Electron. It ends
   * with the emulator. @throws EmulatorError `unknown_user`, `bad_request` if one of this player runs already.
   */
  localProgram(input: LocalProgramInput): Promise<LocalProgram>
  /** Uses commands as players do, and delivers the interactions to the backend. */
  readonly interactions: InteractionControls
  /** Sessions of bots that are connected by WebSocket. */
  readonly gateway: GatewayControls
  /** Delivers events to the backend, and logs them. */
  readonly webhooks: EventControls
  close(): Promise<void>
}

export interface TokenRequest {
  /** Id or username. */
  user: string
  action: 'expire' | 'revoke'
  /** Kind of tokens to expire. Default: `access`. */
  kind?: 'access' | 'refresh' | undefined
}
