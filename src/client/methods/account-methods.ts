/** Sign-in on devices, provisional accounts, account merges and tokens for child applications. */
import { findInvalidArguments } from '../../authorization/find-invalid-arguments'
import { argumentError } from '../../authorization/argument-error'
import type { AuthorizationResult } from '../../authorization/authorization-result'
import { ownFields } from '../../foundation/values/guard-untrusted-values'
import { ConfigurationError } from '../../foundation/errors'
import type { Secret } from '../../foundation/secret'
import type { SendJson } from '../../http/http-client'
import { requestAccount } from '../../tokens/accounts/send-account-request'
import { childTokenRequest } from '../../tokens/accounts/child-token-request'
import type { DeviceUserCode } from '../../tokens/device/device-authorization'
import { runDeviceFlow } from '../../tokens/device/run-device-flow'
import { type ExternalAccount, externalFields } from '../../tokens/accounts/external-account'
import { createMerge, type MergeArgs } from '../../tokens/accounts/merge-account'
import {
  type AccountContext,
  PROVISIONAL_SCOPES,
  provisionalTokenRequest,
  unmergeRequest,
  withoutEmptyRefresh,
} from '../../tokens/accounts/provisional-account-requests'
import type { ReceivedResponse, TokenResponseReader } from '../../tokens/requests/token-endpoint'
import type { TokenSet } from '../../tokens/token-set'
import type { ClientContext } from '../context/client-context'

/** Arguments of a device sign-in. */
export interface DeviceArgs {
  /** Scopes, divided by single spaces. */
  scopes: string
  /** Application id. Default: the client's own. */
  clientId?: string | bigint | undefined
}

/** Options of a device sign-in. */
export interface DeviceOptions extends CallOptions {
  /** Shows the player the code to type, or draws `verificationUriComplete` as a QR code. Called once, before polling starts. */
  onUserCode: (code: DeviceUserCode) => void
}

interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined
}

export interface AccountMethods {
  /**
   * Signs in a player who approves on another device (RFC 8628): calls `onUserCode`, then polls every five seconds until the player
   * approves or denies, or the code expires. Continues after sleep and network failures. Does not change `session`.
   *
   * @throws AuthorizationError `access_denied`, `timed_out`, `aborted`, `surface_failed` when `onUserCode` throws.
   * @throws ValidationError `invalid_argument`. @throws ApiError. @throws NetworkError.
   * @throws ProtocolError `malformed_response`, also when the verification page is on a foreign origin; `keys_unavailable` if the service's
   * keys cannot be fetched until the code expires.
   */
  getTokenFromDevice(args: DeviceArgs, options: DeviceOptions): Promise<TokenSet>
  /** Rejects every pending device sign-in of this client with `aborted`. */
  abortGetTokenFromDevice(): Promise<void>
  /**
   * Gets tokens for a player without an account (`POST /partner-sdk/token`): the service creates or finds the provisional account of an
   * external identity. Without a refresh token; call again after expiry. Does not change `session`.
   *
   * @throws ApiError, for example `account_not_provisional`: the player has a full account now and must sign in with it.
   * @throws ConfigurationError `invalid_argument`, `missing_application_id`. @throws NetworkError. @throws ProtocolError.
   */
  getProvisionalToken(account: ExternalAccount, options?: CallOptions): Promise<TokenSet>
  /**
   * Redeems a code like `getToken` and merges a provisional account into the account that approved. If the service refuses the merge, the
   * result stays valid: call again, or call `getToken` to sign in without the merge. Does not change `session`.
   *
   * @throws ApiError, for example `account_locked` (retryable), `identity_already_attached`, `source_not_provisional`.
   * @throws AuthorizationError `invalid_grant`. @throws ConfigurationError `invalid_argument`. @throws NetworkError. @throws ProtocolError.
   */
  getTokenFromProvisionalMerge(result: AuthorizationResult, args: MergeArgs, options?: CallOptions): Promise<TokenSet>
  /** Combines `getTokenFromDevice` and a merge, with the errors of both. Waits while the account is locked. Does not change `session`. */
  getTokenFromDeviceProvisionalMerge(args: DeviceArgs & ExternalAccount, options: DeviceOptions): Promise<TokenSet>
  /**
   * Detaches an external identity from a full account. All tokens of that account for the application are revoked; `getProvisionalToken`
   * then creates a new provisional account. Does not change `session`.
   *
   * @throws ApiError `account_provisional` if the account was not merged, `unknown_user`.
   * @throws ConfigurationError `invalid_argument`, `missing_application_id`. @throws NetworkError.
   */
  unmergeIntoProvisionalAccount(account: ExternalAccount, options?: CallOptions): Promise<void>
  /**
   * Exchanges the access token of a parent application for a token of another application of the same publisher. The new token expires with
   * the parent token and has no refresh token; call again. Does not change `session`.
   *
   * @throws ApiError `invalid_token`, `unknown_application`. @throws ConfigurationError `invalid_argument`. @throws NetworkError.
   */
  exchangeChildToken(parentToken: Secret | string, childApplicationId: string | bigint, options?: CallOptions): Promise<TokenSet>
}

type DeviceCall = 'getTokenFromDevice' | 'getTokenFromDeviceProvisionalMerge' | 'abortGetTokenFromDevice'

export function createAccountMethods(context: ClientContext) {
  const read: TokenResponseReader = async (...answer) => (await context.exchange()).read(...answer)
  const send: SendJson = async (request) => (await context.exchange()).send(request)
  return { ...createDeviceCalls(context, { read, send }), ...createAccountCalls(context, { read, send }) }
}

interface DeviceTransport {
  read: TokenResponseReader
  send: SendJson
}

function createDeviceCalls(context: ClientContext, { read, send }: DeviceTransport): Pick<AccountMethods, DeviceCall> {
  let abort = new AbortController()
  const run = async (args: DeviceArgs, options?: Partial<DeviceOptions>, account?: ExternalAccount) => {
    const { onUserCode, signal } = { ...options }
    const invalid = findInvalidArguments(args)
    if (invalid.length > 0) throw argumentError(invalid)
    if (typeof onUserCode !== 'function')
      throw new ConfigurationError('invalid_argument', 'onUserCode', { remedy: 'Pass a function that shows the code to the player' })
    const { service } = context
    const { clientId = requireClient(context), scopes } = ownFields(args)
    const party = { service, clientId: String(clientId), scopes, external: account ? externalFields(account) : {} }
    const flow = {
      ...context,
      life: context.closeSignal,
      send,
      read: async (answered: ReceivedResponse, ended: AbortSignal) => (await read(answered, party, ended)).tokens,
    }
    return runDeviceFlow(flow, party, { onUserCode, signals: [signal, abort.signal] })
  }
  return {
    getTokenFromDevice: (args, options) => run(args, options),
    getTokenFromDeviceProvisionalMerge: (args, options) => run(args, options, args),
    async abortGetTokenFromDevice() {
      abort.abort()
      abort = new AbortController()
    },
  }
}

function createAccountCalls(context: ClientContext, { read, send }: DeviceTransport): Omit<AccountMethods, DeviceCall> {
  const { service, clock } = context
  const merge = createMerge(context, send)
  const party = (signal?: AbortSignal): AccountContext => ({ service, clientId: requireClient(context), signal })
  return {
    async getProvisionalToken(account, options) {
      const { signal } = { ...options }
      const asked = party(signal)
      const response = await requestAccount(send, provisionalTokenRequest(account, asked))
      const answered = { response: withoutEmptyRefresh(response), receivedAt: clock.now() }
      return (await read(answered, { clientId: asked.clientId, scopes: PROVISIONAL_SCOPES }, signal)).tokens
    },
    async getTokenFromProvisionalMerge(result, args, options) {
      const { signal } = { ...options }
      const { received, binding } = await merge(result, args, { signal })
      return (await read(received, binding, signal)).tokens
    },
    async unmergeIntoProvisionalAccount(account, options) {
      const { signal } = { ...options }
      await requestAccount(send, unmergeRequest(account, party(signal)))
    },
    async exchangeChildToken(parentToken, childApplicationId, options) {
      const { signal } = { ...options }
      const response = await requestAccount(send, childTokenRequest(parentToken, childApplicationId, { service, signal }))
      return (await read({ response, receivedAt: clock.now() }, { clientId: String(childApplicationId) }, signal)).tokens
    },
  }
}

function requireClient({ applicationId }: ClientContext): string {
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  return applicationId
}
