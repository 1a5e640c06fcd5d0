/** What one game in one frame and the host window around it know of each other. */
import type { Bearer } from '../http/bearer.js'
import type { Player } from '../seed/seed.js'
import type { CodeRequest } from './codes.js'
import type { Instance } from './instances.js'

export interface Place {
  readonly frameId: string
  readonly player: Player
  readonly instance: Instance
}

export interface Game {
  readonly place: Place
  /** What the player gave the game, once it has authenticated. */
  scopes: ReadonlySet<string>
}

/** What a session needs of the host window and the service around it. */
export interface Desk {
  connected(game: Game): void
  disconnected(game: Game): void
  participants(instance: Instance): unknown[]
  /** Asks the person in front of the window; false for no. */
  consent(game: Game, scopes: string[]): Promise<boolean>
  /** Whether the player said yes to all of these before. */
  granted(player: Player, scopes: string[]): boolean
  issueCode(request: CodeRequest): Promise<string>
  findBearer(token: string): Promise<Bearer | string>
}
