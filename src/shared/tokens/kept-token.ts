/** Stands for the access token of a session whose tokens the game's backend keeps. */
import { ConfigurationError } from '../foundation/errors'
import type { UserId } from '../foundation/ids'
import { randomText } from '../foundation/crypto'
import { Secret } from '../foundation/secret'
import type { TokenSet } from './token-set'

const REMEDY =
  "The backend keeps the tokens (tokens: 'none'). Call client.backend.fetch(), and session.verify(request) in the backend"
const SCHEME = 'Kept '
/** Names the player whom a page without tokens shows: the cookie of its requests may be of another one, who signed in in another tab. */
export const PLAYER_HEADER = 'foyer-player'

/** Cannot be revealed. Requests in its name go through the backend. */
export class KeptToken extends Secret {
  /** The player, as the backend says. */
  readonly userId: UserId
  /** Distinguishes it from the ones before and after it. */
  readonly mark: string

  constructor(userId: UserId) {
    super('')
    this.userId = userId
    this.mark = randomText()
  }

  /** @throws ConfigurationError `unsupported`, always. */
  override reveal(): never {
    throw new ConfigurationError('unsupported', 'accessToken', { remedy: REMEDY })
  }
}

/** The Authorization header of a request with these tokens. For a kept token it never leaves the page: see `keptPlayer`. */
export function bearerOf({ accessToken }: Pick<TokenSet, 'accessToken'>): string {
  return accessToken instanceof KeptToken
    ? `${SCHEME}${accessToken.userId} ${accessToken.mark}`
    : `Bearer ${accessToken.reveal()}`
}

/** The player in whose name a request goes through the backend. Undefined for any other Authorization header. */
export function keptPlayer(authorization: string | null): string | undefined {
  return authorization?.startsWith(SCHEME) ? authorization.split(' ')[1] : undefined
}
