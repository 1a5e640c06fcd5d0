/** What every room of a running emulator shares. */
import type { Clock } from './clock.js'
import type { CommandKnobs } from './commands/knobs.js'
import type { Events } from './events.js'
import type { LobbyKnobs } from './lobbies/knobs.js'
import type { Credentials } from './secrets.js'
import type { Seed } from './seed/seed.js'
import type { State } from './state/state.js'

export interface Service {
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
  readonly knobs: CommandKnobs
  /** Changed in place too. */
  readonly lobbyKnobs: LobbyKnobs
}
