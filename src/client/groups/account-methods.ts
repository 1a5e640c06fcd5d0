/** Sign-in on devices, provisional accounts, account merges and tokens for child applications. */
import { findInvalidArguments } from '../../shared/authorization/find-invalid-arguments'
import { argumentError } from '../../shared/authorization/argument-error'
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import type { Secret } from '../../shared/foundation/secret'
import type { TokenSet } from '../../shared/tokens/token-set'
import { ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { SendJson } from '../../shared/http/http-client'
import { requestAccount } from '../../shared/tokens/accounts/send-account-request'
import { childTokenRequest } from '../../shared/tokens/accounts/child-token-request'
import { runDeviceFlow } from '../accounts/run-device-flow'
import { type ExternalAccount, externalFields } from '../../shared/tokens/accounts/external-account'
import { createMerge, type MergeArgs } from '../accounts/merge-account'
import {
  type AccountContext,
  PROVISIONAL_SCOPES,
  provisionalTokenRequest,
  unmergeRequest,
  withoutEmptyRefresh,
} from '../../shared/tokens/accounts/provisional-account-requests'
import type { ReceivedResponse, TokenResponseReader } from '../../shared/tokens/requests/token-endpoint'
import type { ClientContext } from '../context/client-context'
import type { DeviceArgs, DeviceOptions } from '../accounts/device-authorization'

/** The code of `client.accounts`. */
export type AccountMethods = ReturnType<typeof createAccountMethods>

export function createAccountMethods(context: ClientContext) {
  const read: TokenResponseReader = async (...answer) => (await context.exchange()).read(...answer)
  const send: SendJson = async (request) => (await context.exchange()).send(request)
  return { ...createDeviceCalls(context, { read, send }), ...createAccountCalls(context, { read, send }) }
}

interface DeviceTransport {
  read: TokenResponseReader
  send: SendJson
}

function createDeviceCalls(context: ClientContext, { read, send }: DeviceTransport) {
  let abort = new AbortController()
  const run = async (args: DeviceArgs, options?: Partial<DeviceOptions>, account?: ExternalAccount) => {
    const { onUserCode, signal } = checkOptions(options, ['onUserCode', 'signal'])
    const invalid = findInvalidArguments(args)
    if (invalid.length > 0) throw argumentError(invalid)
    if (typeof onUserCode !== 'function')
      throw new ConfigurationError('invalid_argument', 'onUserCode', {
        remedy: 'Pass a function that shows the code to the player',
      })
    const { service } = context
    const { clientId = requireClient(context), scopes } = ownFields(args)
    const party = {
      service,
      clientId: String(clientId),
      scopes,
      external: account ? externalFields(account) : {},
    }
    const flow = {
      ...context,
      life: context.closeSignal,
      send,
      read: async (answered: ReceivedResponse, ended: AbortSignal) =>
        (await read(answered, party, ended)).tokens,
    }
    return runDeviceFlow(flow, party, { onUserCode, signals: [signal, abort.signal] })
  }
  return {
    getTokenFromDevice: (args: DeviceArgs, options: DeviceOptions) => run(args, options),
    mergeFromDevice: (args: DeviceArgs & ExternalAccount, options: DeviceOptions) => run(args, options, args),
    async abortDevice() {
      abort.abort()
      abort = new AbortController()
    },
  }
}

function createAccountCalls(context: ClientContext, { read, send }: DeviceTransport) {
  const { service, clock } = context
  const merge = createMerge(context, send)
  const party = (signal?: AbortSignal): AccountContext => ({
    service,
    clientId: requireClient(context),
    signal,
  })
  return {
    async getToken(account: ExternalAccount, options?: CallOptions): Promise<TokenSet> {
      const { signal } = checkOptions(options, ['signal'])
      const asked = party(signal)
      const response = await requestAccount(send, provisionalTokenRequest(account, asked))
      const answered = { response: withoutEmptyRefresh(response), receivedAt: clock.now() }
      return (await read(answered, { clientId: asked.clientId, scopes: PROVISIONAL_SCOPES }, signal)).tokens
    },
    async merge(result: AuthorizationResult, args: MergeArgs, options?: CallOptions): Promise<TokenSet> {
      const { signal } = checkOptions(options, ['signal'])
      const { received, binding } = await merge(result, args, { signal })
      return (await read(received, binding, signal)).tokens
    },
    async unmerge(account: ExternalAccount, options?: CallOptions): Promise<void> {
      const { signal } = checkOptions(options, ['signal'])
      await requestAccount(send, unmergeRequest(account, party(signal)))
    },
    async exchangeChildToken(
      parentToken: Secret | string,
      childApplicationId: string | bigint,
      options?: CallOptions,
    ): Promise<TokenSet> {
      const { signal } = checkOptions(options, ['signal'])
      const response = await requestAccount(
        send,
        childTokenRequest(parentToken, childApplicationId, { service, signal }),
      )
      return (
        await read({ response, receivedAt: clock.now() }, { clientId: String(childApplicationId) }, signal)
      ).tokens
    },
  }
}

function requireClient({ applicationId }: ClientContext): string {
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  return applicationId
}
