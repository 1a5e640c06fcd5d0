/** What a program holds of a running emulator: its address, its secrets, and the hands on it. Types alone: nothing behind it shows through. */
import type { ActivityControls } from '../activity/controls.js'
import type { ServiceEvent } from '../context/events.js'
import type { InteractionControls } from '../interactions/controls.js'
import type { FaultRule } from '../faults/fault-rule.js'
import type { LoggedRequest } from '../server/request-log.js'
import type { LimitsView } from '../limits/limits.js'
import type { LimitsInput } from '../limits/settings.js'
import type { ApprovalInput } from '../consent-driver/approve.js'
import type { DeviceApprovalInput } from '../consent-driver/approve-device.js'

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
  /** Addresses for other devices, when `host` opened the emulator to them. */
  readonly networkUrls: string[]
  readonly application: EmulatorApplication
  readonly users: EmulatorUser[]
  readonly controlToken: string
  /** The last 1000 requests, oldest first. */
  readonly requests: LoggedRequest[]
  /** Presses the consent page's button; resolves with the callback URL, which nobody has followed yet. */
  authorize(url: string, choice: ApprovalInput): Promise<{ redirect: string }>
  /** Moves the emulator's clock forward, by milliseconds: tokens, codes and all that has a deadline grow older at once. */
  advance(ms: number): void
  /** Sets what goes wrong with the next requests, in the place of all earlier rules; returns what is still to come. */
  faults(rules?: FaultRule | FaultRule[]): FaultRule[]
  /** Sets limits, by a profile or one by one; returns all of them and how full they are. */
  limits(input?: LimitsInput): LimitsView
  /** Ends a player's access tokens (or refresh tokens) as time would, or revokes all that the player gave. */
  tokens(order: TokenRequest): void
  /** Answers for a player on the page where a device's code is typed. */
  device(choice: DeviceApprovalInput): Promise<void>
  /** Forgets sessions, grants, tokens, installations, commands, faults, logged requests and what counted against limits; application and credentials stay. */
  reset(): void
  /** Hears what happens, under the service's names for it; returns the undo. */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  /** Launches the Activity, and says who is in it. */
  readonly activity: ActivityControls
  /** Uses commands as players do, and takes the interactions to the backend. */
  readonly interactions: InteractionControls
  close(): Promise<void>
}

export interface TokenRequest {
  /** Id or username. */
  user: string
  action: 'expire' | 'revoke'
  /** What expires; `access` unless given. */
  kind?: 'access' | 'refresh'
}
