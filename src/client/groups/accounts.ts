/** `client.accounts`: sign-in on devices, provisional accounts, and tokens for child applications. */
import { type CallOptions, bindMethods } from '../../shared/foundation/options'
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import type { Secret } from '../../shared/foundation/secret'
import type { ExternalAccount } from '../../shared/tokens/account-requests'
import type { MergeArgs, MergeResponses } from '../accounts/merge-account'
import type { TokenSet } from '../../shared/tokens/token-set'
import { loadAccounts } from '../context/capabilities'
import type { ClientBase } from '../context/client-base'
import type { DeviceArgs, DeviceOptions } from '../accounts/device-authorization'

/** Accounts beyond the sign-in of a page. No call here changes `client.session`: give the tokens to `client.updateToken`. */
export class Accounts {
  readonly #client: ClientBase
  /** Aborts the pending device sign-ins. */
  #device = new AbortController()
  readonly #merged: MergeResponses = new WeakMap()

  /** @internal */
  constructor(client: ClientBase) {
    this.#client = client
    bindMethods(this)
  }

  /**
   * Signs in a player who approves on another device (RFC 8628): calls `onUserCode`, then polls every five seconds until the player
   * approves or denies, or the code expires. Continues after sleep and network failures.
   *
   * @throws AuthorizationError `access_denied`, `timed_out`, `aborted`, `surface_failed` when `onUserCode` throws.
   * @throws ValidationError `invalid_argument`. @throws ApiError. @throws NetworkError.
   * @throws ProtocolError `malformed_response`, also when the verification page is on a foreign origin; `keys_unavailable` if the service's
   * keys cannot be fetched until the code expires.
   * @example
   * ```ts
   * const scopes = Client.getDefaultCommunicationScopes()
   * const tokens = await client.accounts.getTokenFromDevice({ scopes }, { onUserCode: ({ userCode }) => show(userCode) })
   * await client.updateToken(tokens)
   * ```
   */
  getTokenFromDevice(args: DeviceArgs, options: DeviceOptions): Promise<TokenSet> {
    const ended = this.#device.signal
    return this.#run([args, options], (calls, own, given) =>
      calls.getTokenFromDevice(this.#client, own, { options: given, account: undefined, ended }),
    )
  }

  /** Rejects every pending device sign-in of this client with `aborted`. */
  abortDevice(): Promise<void> {
    return this.#client.call('accounts', [], async () => {
      this.#device.abort()
      this.#device = new AbortController()
    })
  }

  /**
   * Gets tokens for a player without an account (`POST /partner-sdk/token`): the service creates or finds the provisional account of an
   * external identity. Without a refresh token; call again after expiry.
   *
   * @throws ApiError, for example `account_not_provisional`: the player has a full account now and must sign in with it.
   * @throws ConfigurationError `invalid_argument`, `missing_application_id`. @throws NetworkError. @throws ProtocolError.
   */
  getToken(account: ExternalAccount, options?: CallOptions): Promise<TokenSet> {
    return this.#run([account, options], (calls, ...own) => calls.getToken(this.#client, ...own))
  }

  /**
   * Redeems a code like `client.getToken` and merges a provisional account into the account that approved. If the service refuses the
   * merge, the result stays valid: call again, or call `client.getToken` to sign in without the merge.
   *
   * @throws ApiError, for example `account_locked` (retryable), `identity_already_attached`, `source_not_provisional`.
   * @throws AuthorizationError `invalid_grant`. @throws ConfigurationError `invalid_argument`. @throws NetworkError. @throws ProtocolError.
   */
  merge(result: AuthorizationResult, args: MergeArgs, options?: CallOptions): Promise<TokenSet> {
    return this.#run([{ result, args, options }], (calls, own) =>
      calls.merge(this.#client, own, this.#merged),
    )
  }

  /** Combines `getTokenFromDevice` and `merge`, with the errors of both. Waits while the account is locked. */
  mergeFromDevice(args: DeviceArgs & ExternalAccount, options: DeviceOptions): Promise<TokenSet> {
    const ended = this.#device.signal
    return this.#run([args, options], (calls, own, given) =>
      calls.getTokenFromDevice(this.#client, own, { options: given, account: own, ended }),
    )
  }

  /**
   * Detaches an external identity from a full account. All tokens of that account for the application are revoked; `getToken` then creates
   * a new provisional account.
   *
   * @throws ApiError `account_provisional` if the account was not merged, `unknown_user`.
   * @throws ConfigurationError `invalid_argument`, `missing_application_id`. @throws NetworkError.
   */
  unmerge(account: ExternalAccount, options?: CallOptions): Promise<void> {
    return this.#run([account, options], (calls, ...own) => calls.unmerge(this.#client, ...own))
  }

  /**
   * Exchanges the access token of a parent application for a token of another application of the same publisher. The new token expires with
   * the parent token and has no refresh token; call again.
   *
   * @throws ApiError `invalid_token`, `unknown_application`. @throws ConfigurationError `invalid_argument`. @throws NetworkError.
   */
  exchangeChildToken(
    parentToken: Secret | string,
    childApplicationId: string | bigint,
    options?: CallOptions,
  ): Promise<TokenSet> {
    return this.#run([{ parentToken, childApplicationId, options }], (calls, own) =>
      calls.exchangeChildToken(this.#client, own),
    )
  }

  #run<const Given extends readonly unknown[], T>(
    given: Given,
    work: (calls: Awaited<ReturnType<typeof loadAccounts>>, ...own: Given) => Promise<T>,
  ): Promise<T> {
    return this.#client.call('accounts', given, async (_, ...own) => work(await loadAccounts(), ...own))
  }
}
