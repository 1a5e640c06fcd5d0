/** What every room of a running emulator shares. */
import type { Clock } from '../foundation/clock.js'
import type { CommandBehavior } from './command-behavior.js'
import type { Events } from './events.js'
import type { LobbyBehavior } from './lobby-behavior.js'
import type { Credentials } from '../foundation/secrets.js'
import type { Seed } from '../seed/seed.js'
import type { State } from '../state/state.js'

export interface EmulatorContext {
  /** `http://127.0.0.1:PORT`: host, issuer and origin. */
  readonly url: string
  readonly port: number
  /** The values of the Host header under which the pages answer. */
  readonly hosts: ReadonlySet<string>
  /** Those for which the control plane answers: of this machine only. */
  readonly controlHosts: ReadonlySet<string>
  readonly seed: Seed
  readonly credentials: Credentials
  readonly state: State
  readonly clock: Clock
  readonly events: Events
  /** A refresh ends the old access token too. */
  readonly strictRefresh: boolean
  /** Changed in place, while the emulator runs. */
  readonly commandBehavior: CommandBehavior
  /** Changed in place too. */
  readonly lobbyBehavior: LobbyBehavior
}
