/** Context of an RPC session: one game in one frame of a host window. */
import type { Bearer } from '../auth/resolve-access-token.js'
import type { Player } from '../seed/seed.js'
import type { CodeRequest } from './issue-authorization-code.js'
import type { Instance } from './instances.js'

export interface FrameLocation {
  readonly frameId: string
  readonly player: Player
  readonly instance: Instance
}

export interface AuthorizedFrame {
  readonly place: FrameLocation
  /** Token data of the player, once the game has authenticated. */
  scopes: ReadonlySet<string>
}

/** Services of the host window that a session uses. */
export interface RpcContext {
  connected(game: AuthorizedFrame): void
  disconnected(game: AuthorizedFrame): void
  participants(instance: Instance): unknown[]
  /** Shows the consent dialog; resolves with false for a refusal. */
  consent(game: AuthorizedFrame, scopes: string[]): Promise<boolean>
  /** True if the player granted all of these scopes before. */
  granted(player: Player, scopes: string[]): boolean
  issueCode(request: CodeRequest): Promise<string>
  findBearer(token: string): Promise<Bearer | string>
}
