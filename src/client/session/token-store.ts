/** Ports of a session: the store that outlives a page or process, and tokens from another source. */
import type { UserId } from '../../shared/foundation/ids'
import type { Secret } from '../../shared/foundation/secret'
import type { TokenSet } from '../../shared/tokens/token-set'

/**
 * Stores strings for the SDK. A store neither interprets nor merges them.
 *
 * Any method may reject; the session then continues in memory, as `session.storage` shows. No method may wait for the player.
 */
export interface TokenStore {
  /** The last stored string; undefined if there is none, or if it can no longer be read. */
  get(key: string): Promise<string | undefined>
  /**
   * Replaces the whole string. Once the promise has resolved, the string is as durable as the store promises, and every tab that shares the
   * store reads it: a tab that reads an older string sends a refresh token twice, and the player is signed out.
   */
  set(key: string, value: string): Promise<void>
  /** Deletes one key; other keys stay. Resolves also if the key does not exist. */
  delete(key: string): Promise<void>
}

/** A store in memory, lost with the page or process. Default. */
export function memoryStore(): TokenStore {
  const values = new Map<string, string>()
  return {
    get: async (key) => values.get(key),
    async set(key, value) {
      values.set(key, value)
    },
    async delete(key) {
      values.delete(key)
    },
  }
}

/** Tokens with the SDK's names. */
export interface NamedTokens {
  /** Access token. */
  accessToken: Secret | string
  /** Remaining lifetime in seconds. Default: an hour. */
  expiresIn?: number | undefined
  /** End of the access token in epoch ms, in place of `expiresIn`. */
  expiresAt?: number | undefined
  /** Absent if the backend keeps it: then the option `getToken` brings new tokens. */
  refreshToken?: Secret | string | undefined
  /** ID token. It is verified, and proves whose the access token is; without one, the service is asked. */
  idToken?: Secret | string | undefined
  /** The granted scopes. Default: none known. */
  scopes?: readonly string[] | undefined
}

/** The JSON of a token response (RFC 6749 section 5.1), as a backend received it. */
export interface RawTokens {
  /** Access token. */
  access_token: string
  /** Seconds. */
  expires_in?: number | undefined
  /** Absent if the backend keeps it. */
  refresh_token?: string | null | undefined
  /** ID token. */
  id_token?: string | null | undefined
  /** Scopes, divided by spaces. */
  scope?: string | undefined
}

/** Tokens in any of the forms that `updateToken` accepts. */
export type GivenTokens = TokenSet | NamedTokens | RawTokens

/** Argument of `getToken`. */
export interface TokenQuestion {
  /** The access token to be replaced: it expires soon, or the service refused it. */
  refused: Secret
  /** The player of the session: tokens of another player are rejected. */
  userId: UserId
}

/** Resolves with new tokens, or with null if the player has to sign in again. A rejection keeps the session. */
export type GetToken = (question: TokenQuestion) => Promise<GivenTokens | null>
