/** Players without a browser, without an account, or with two: devices, provisional accounts, merges, and child applications. */
import type { AuthorizationArgsFields } from '../../authorization/args'
import { findInvalidArguments } from '../../authorization/validate-args'
import { argumentError } from '../../authorization/args-error'
import type { AuthorizationResult } from '../../authorization/result'
import { ownFields } from '../../foundation/encoding'
import { ConfigurationError } from '../../foundation/errors'
import type { Secret } from '../../foundation/secret'
import type { SendJson } from '../../http/request'
import { requestAccount } from '../../tokens/accounts/account-request'
import { childTokenRequest } from '../../tokens/accounts/child-token'
import type { DeviceUserCode } from '../../tokens/device/device-protocol'
import { runDeviceFlow } from '../../tokens/device/device-flow'
import { type ExternalAccount, externalFields } from '../../tokens/accounts/external-account'
import { createMerge, type MergeArgs } from '../../tokens/accounts/merge'
import {
  type AccountContext,
  PROVISIONAL_SCOPES,
  provisionalTokenRequest,
  unmergeRequest,
  withoutEmptyRefresh,
} from '../../tokens/accounts/provisional'
import type { ReceivedResponse, TokenResponseReader } from '../../tokens/token-response'
import type { TokenSet } from '../../tokens/token-set'
import type { ClientContext } from '../context'

/** What a device signs in for. */
export interface DeviceArgs extends Required<Pick<AuthorizationArgsFields, 'scopes'>> {
  /** Default: the client's own application. */
  clientId?: string | bigint
}

export interface DeviceOptions extends CallOptions {
  /** Shows the player what to type, or draws `verificationUriComplete` as a QR code. Called once, before the waiting begins. */
  onUserCode: (code: DeviceUserCode) => void
}

interface CallOptions {
  signal?: AbortSignal
}

export interface AccountMethods {
  /**
   * Signs a player in who answers on another device (RFC 8628): shows a code, then asks every five seconds until the player has said yes
   * or no, or the code has expired. It outlives sleep and a network that comes and goes. Leaves `session` alone.
   * @throws AuthorizationError `access_denied`, `timed_out`, `aborted`, `surface_failed` when `onUserCode` throws.
   * @throws ValidationError `invalid_argument`. @throws ApiError. @throws NetworkError. @throws ProtocolError `malformed_response` also
   * where the service names a page that is not its own.
   */
  getTokenFromDevice(args: DeviceArgs, options: DeviceOptions): Promise<TokenSet>
  /** Ends every device sign-in of this client, as `aborted`. */
  abortGetTokenFromDevice(): Promise<void>
  /**
   * Tokens for a player who has no account here: the service makes one for who they are elsewhere, or finds the one it made before
   * (`POST /partner-sdk/token`). There is no refresh token: ask again. Leaves `session` alone.
   * @throws ApiError, for example `account_not_provisional` once the player has a full account: sign in with that one then.
   * @throws ConfigurationError `invalid_argument`, `missing_application_id`. @throws NetworkError. @throws ProtocolError.
   */
  getProvisionalToken(account: ExternalAccount, options?: CallOptions): Promise<TokenSet>
  /**
   * `getToken` that brings a provisional account along: from then on what it had belongs to the account that approved. Where the service
   * refuses the merge, the result stays good: call again, or call `getToken` to sign in without it. Leaves `session` alone.
   * @throws ApiError, for example `account_locked` (retryable), `identity_already_attached`, `source_not_provisional`.
   * @throws AuthorizationError `invalid_grant`. @throws ConfigurationError `invalid_argument`. @throws NetworkError. @throws ProtocolError.
   */
  getTokenFromProvisionalMerge(result: AuthorizationResult, args: MergeArgs, options?: CallOptions): Promise<TokenSet>
  /** `getTokenFromDevice` and a merge in one. Rejects as those two do; a lock is waited out. Leaves `session` alone. */
  getTokenFromDeviceProvisionalMerge(args: DeviceArgs & ExternalAccount, options: DeviceOptions): Promise<TokenSet>
  /**
   * Takes an identity away from a full account again. All tokens of that account for the application end with it; `getProvisionalToken`
   * then gives those of a new provisional account. Leaves `session` alone.
   * @throws ApiError `account_provisional` when there is nothing to take apart, `unknown_user`. @throws ConfigurationError
   * `invalid_argument`, `missing_application_id`. @throws NetworkError.
   */
  unmergeIntoProvisionalAccount(account: ExternalAccount, options?: CallOptions): Promise<void>
  /**
   * A token for another application of the same publisher, for the access token of the one that players sign in to. It lives as long as
   * that one has left, and is not refreshed: exchange again. Leaves `session` alone.
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
    const unsound = findInvalidArguments(args)
    if (unsound.length > 0) throw argumentError(unsound)
    if (typeof onUserCode !== 'function')
      throw new ConfigurationError('invalid_argument', 'onUserCode', { remedy: 'Give a function that shows the code to the player' })
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
      const answer = await requestAccount(send, provisionalTokenRequest(account, asked))
      const answered = { answer: withoutEmptyRefresh(answer), receivedAt: clock.now() }
      return (await read(answered, { clientId: asked.clientId, scopes: PROVISIONAL_SCOPES }, signal)).tokens
    },
    async getTokenFromProvisionalMerge(result, args, options) {
      const { signal } = { ...options }
      const { answered, binding } = await merge(result, args, { signal })
      return (await read(answered, binding, signal)).tokens
    },
    async unmergeIntoProvisionalAccount(account, options) {
      const { signal } = { ...options }
      await requestAccount(send, unmergeRequest(account, party(signal)))
    },
    async exchangeChildToken(parentToken, childApplicationId, options) {
      const { signal } = { ...options }
      const answer = await requestAccount(send, childTokenRequest(parentToken, childApplicationId, { service, signal }))
      return (await read({ answer, receivedAt: clock.now() }, { clientId: String(childApplicationId) }, signal)).tokens
    },
  }
}

function requireClient({ applicationId }: ClientContext): string {
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  return applicationId
}
