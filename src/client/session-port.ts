/** What a client asks of its session, wherever the code for it is loaded from. */
import type { FoyerError } from '../foundation/errors'
import type { UserId } from '../foundation/ids'
import type { Credentials } from '../http/credentials'
import type { SessionKeeper } from '../tokens/keeper'
import type { Session } from '../tokens/session'
import type { Redeemed } from '../tokens/token-reader'

export interface SignOutOptions {
  /** Ends the tokens at the service too, and with them every session of this player with this game. Default: false. */
  revoke?: boolean
  signal?: AbortSignal
}

/** `revoked`: whether the service has ended the tokens; `error`: why not, where it was asked to. The player is signed out here in any case. */
export interface SignOutResult {
  revoked: boolean
  error?: FoyerError
}

/** What a session is made of. `userId` where no claims tell. */
export type Adoptable = Redeemed & { userId?: UserId }

/** `header` and `renew` are what calls for the player are sent with. */
export interface Sessions extends Credentials {
  keeper: SessionKeeper
  adopt(redeemed: Adoptable): Promise<Session>
  restore(): Promise<Session | null>
  /** Renews now, whatever the clock says. */
  refresh(): Promise<Session | null>
  signOut(options: SignOutOptions): Promise<SignOutResult>
}
