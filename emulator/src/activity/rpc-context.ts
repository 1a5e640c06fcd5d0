/** What one game in one frame and the host window around it know of each other. */
import type { Bearer } from '../auth/bearer.js'
import type { Player } from '../seed/seed.js'
import type { CodeRequest } from './codes.js'
import type { Instance } from './instances.js'

export interface FrameLocation {
  readonly frameId: string
  readonly player: Player
  readonly instance: Instance
}

export interface AuthorizedFrame {
  readonly place: FrameLocation
  /** What the player gave the game, once it has authenticated. */
  scopes: ReadonlySet<string>
}

/** What a session needs of the host window and the service around it. */
export interface RpcContext {
  connected(game: AuthorizedFrame): void
  disconnected(game: AuthorizedFrame): void
  participants(instance: Instance): unknown[]
  /** Asks the person in front of the window; false for no. */
  consent(game: AuthorizedFrame, scopes: string[]): Promise<boolean>
  /** Whether the player said yes to all of these before. */
  granted(player: Player, scopes: string[]): boolean
  issueCode(request: CodeRequest): Promise<string>
  findBearer(token: string): Promise<Bearer | string>
}
