/** Accounts for players without one, created with the application's bot token (docs/interface/accounts.md#provisional-accounts). */
import type { Clock } from '../shared/foundation/clock'
import { ConfigurationError, type Issue } from '../shared/foundation/errors'
import { checkOptions } from '../shared/foundation/options'
import { checkObject, collectIssues, id, pattern, type Rule, type Shape } from '../shared/foundation/rules'
import { isRecord, isText, ownFields } from '../shared/foundation/untrusted-values'
import { CheckedBody } from '../shared/http/checked-body'
import type { Credentials } from '../shared/http/api'
import type { LimitedApi } from '../shared/http/limited-api'
import { PROVISIONAL_SCOPES } from '../shared/tokens/account-requests'
import { decodeTokenSet, splitScopes, type TokenSet } from '../shared/tokens/token-set'
import { ArgumentIssues } from './argument-issues'

const TOKEN = '/partner-sdk/token/bot'
const UNMERGE = '/partner-sdk/provisional-accounts/unmerge/bot'
const USER_ID: Rule = {
  is: pattern,
  required: true,
  pattern: /^[^]{1,1024}$/u,
  expected: '1 to 1024 characters',
}
const NAME: Rule = { is: pattern, pattern: /^[^]{1,32}$/u, expected: '1 to 32 characters' }
const ACCOUNT_ID: Rule = { is: id, expected: 'an id' }

const ACCOUNT: Shape = { externalUserId: USER_ID, preferredGlobalName: NAME, provisionalUserId: ACCOUNT_ID }

/** Player of the game's own accounts. */
export interface BotIssuedAccount {
  /** Id of the player in the game's own accounts, 1 to 1,024 characters. The service finds the player's account by it. */
  externalUserId: string
  /** Name that other players see, 1 to 32 characters. Default: unchanged; the service names a new account. */
  preferredGlobalName?: string | undefined
  /** Existing provisional account to use for this player (_assumed_). Default: the account of `externalUserId`, or a new one. */
  provisionalUserId?: string | undefined
}

/** Provisional accounts that the application creates for its own players. Requires a bot token. */
export interface ProvisionalAccounts {
  /**
   * Gets tokens for a player without an account; the service creates the account, or finds it again. Verify who the player is before: whoever
   * receives the tokens is that player. There is no refresh token: call it again. The ID token has not been verified; the player's client
   * verifies it.
   *
   * @throws ValidationError `invalid_argument`. @throws ApiError `account_not_provisional` if the player has a full account by now,
   *   `provisional_accounts_disabled`, … @throws RateLimitError, NetworkError or ProtocolError.
   * @example
   * ```ts
   * const { accessToken, expiresAt } = await client.provisionalAccounts.getToken({ externalUserId: player.id })
   * return Response.json({ accessToken: accessToken.reveal(), expiresAt })
   * ```
   */
  getToken(account: BotIssuedAccount, options?: { signal?: AbortSignal | undefined }): Promise<TokenSet>
  /**
   * Separates a player of the game's own accounts from the full account into which the player was merged, and revokes that account's tokens
   * for the application. The next `getToken` returns a new account.
   *
   * @throws ValidationError `invalid_argument`. @throws ApiError `account_provisional`, `unknown_user`, … @throws RateLimitError, NetworkError
   *   or ProtocolError.
   */
  unmerge(externalUserId: string, options?: { signal?: AbortSignal | undefined }): Promise<void>
}

interface Parts extends Pick<LimitedApi, 'api'> {
  clock: Clock
  credentials: Pick<Credentials, 'kind'>
}

export function createProvisionalAccounts({ api, clock, credentials }: Parts): ProvisionalAccounts {
  const send = (route: string, body: CheckedBody, signal: AbortSignal | undefined) => {
    if (credentials.kind === 'application')
      throw new ConfigurationError('invalid_argument', 'credentials', {
        remedy: 'Provisional accounts need botToken(…)',
      })
    return api.send({ method: 'POST', route, ids: {}, body, signal })
  }
  return {
    async getToken(account, options) {
      const { signal } = checkOptions(options, ['signal'])
      const { body } = await send(TOKEN, tokenBody(account), signal)
      const { refresh_token: refreshToken, ...fields } = isRecord(body) ? body : {}
      // The service sends null or an empty refresh token instead of leaving the field out.
      const response = { ...fields, ...(isText(refreshToken, /./) && { refresh_token: refreshToken }) }
      return decodeTokenSet(response, { requested: splitScopes(PROVISIONAL_SCOPES), now: clock.now() })
    },
    async unmerge(externalUserId, options) {
      const { signal } = checkOptions(options, ['signal'])
      await send(UNMERGE, unmergeBody(externalUserId), signal)
    },
  }
}

/** @throws ValidationError with all issues. */
const tokenBody = (account: BotIssuedAccount): CheckedBody =>
  CheckedBody.of(ownFields({ ...account }), { check: accountIssues, code: 'invalid_argument' }).map(
    ({ externalUserId, preferredGlobalName, provisionalUserId }) => ({
      external_user_id: externalUserId,
      ...(preferredGlobalName !== undefined && { preferred_global_name: preferredGlobalName }),
      ...(provisionalUserId !== undefined && { provisional_user_id: provisionalUserId }),
    }),
  )

/** @throws ValidationError. */
const unmergeBody = (externalUserId: string): CheckedBody =>
  CheckedBody.of({ externalUserId }, { check: accountIssues, code: 'invalid_argument' }).map((own) => ({
    external_user_id: own.externalUserId,
  }))

const accountIssues = (account: unknown): readonly Issue[] =>
  collectIssues(new ArgumentIssues(), (at) => void checkObject(account, ACCOUNT, at))
