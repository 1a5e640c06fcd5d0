/** A screen of the demo or of the emulator in one state, and what it is opened with. */
import type { Emulator } from 'foyer-emulator'
import type { EnginePage } from '../engines/engine'

export interface World {
  /** Address of the demo, with a slash at the end. */
  readonly demo: string
  /** Control plane of the demo's emulator: posts a body, and resolves with the response. */
  readonly control: (path: string, body: object) => Promise<unknown>
  /** Another emulator, with a backend that answers commands, and with a game. */
  readonly emulator: Emulator
  /** Starts an emulator for one screen, which may stop it. */
  readonly startEmulator: () => Promise<Emulator>
  /** Starts a demo for one screen; `stop` ends it. */
  readonly startDemo: () => Promise<{ url: string; stop: () => Promise<unknown> }>
}

export interface Screen {
  /** Lower case with hyphens, for file names too. */
  readonly name: string
  readonly open: (page: EnginePage, world: World) => Promise<unknown>
}
