/** Sign-in on devices, provisional accounts, account merges and tokens for child applications. */
import { findInvalidArguments } from '../../shared/authorization/attempt'
import { argumentError } from '../../shared/authorization/argument-error'
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import { type CallOptions, checkOptions, requireNames } from '../../shared/foundation/options'
import type { Secret } from '../../shared/foundation/secret'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { ReceivedResponse, TokenResponseReader } from '../../shared/tokens/token-endpoint'
import { ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { SendJson } from '../../shared/http/http-client'
import {
  requestAccount,
  childTokenRequest,
  type ExternalAccount,
  externalFields,
  type AccountContext,
  PROVISIONAL_SCOPES,
  provisionalTokenRequest,
  unmergeRequest,
  withoutEmptyRefresh,
} from '../../shared/tokens/account-requests'
import { runDeviceFlow } from '../accounts/run-device-flow'
import { type MergeArgs, mergeAccount, type MergeResponses } from '../accounts/merge-account'
import type { ClientBase } from '../context/client-base'
import type { DeviceArgs, DeviceOptions } from '../accounts/device-authorization'

/** Signs in on another device. `account`: an external identity to merge into the account that approves. */
export function getTokenFromDevice(
  client: ClientBase,
  args: DeviceArgs,
  { options, account, ended }: DeviceCall,
): Promise<TokenSet> {
  const { onUserCode, signal } = checkOptions(options, ['onUserCode', 'signal'])
  const invalid = findInvalidArguments(args)
  if (invalid.length > 0) throw argumentError(invalid)
  if (typeof onUserCode !== 'function')
    throw new ConfigurationError('invalid_argument', 'onUserCode', {
      remedy: 'Pass a function that shows the code to the player',
    })
  const { service, clock } = client.options
  const { clientId = requireClient(client), scopes } = ownFields(args)
  if (!account) requireNames(args, DEVICE_ARGS)
  const party = {
    service,
    clientId: String(clientId),
    scopes,
    external: account ? externalFields(account, DEVICE_ARGS) : {},
  }
  const flow = {
    clock,
    log: client.log,
    closeSignal: client.closeSignal,
    send: sendOf(client),
    read: async (answered: ReceivedResponse, signalOfRead: AbortSignal) =>
      (await read(client, answered, party, signalOfRead)).tokens,
  }
  return runDeviceFlow(flow, party, { onUserCode, signals: [signal, ended] })
}

const DEVICE_ARGS: readonly (keyof DeviceArgs)[] = ['scopes', 'clientId']

interface DeviceCall {
  options: Partial<DeviceOptions> | undefined
  account?: ExternalAccount | undefined
  /** Aborts with `abortDevice()`. */
  ended: AbortSignal
}

export async function getToken(
  client: ClientBase,
  account: ExternalAccount,
  options: CallOptions | undefined,
): Promise<TokenSet> {
  const { signal } = checkOptions(options, ['signal'])
  const asked = partyOf(client, signal)
  const response = await requestAccount(sendOf(client), provisionalTokenRequest(account, asked))
  const expected = { clientId: asked.clientId, scopes: PROVISIONAL_SCOPES }
  return (await read(client, receive(client, withoutEmptyRefresh(response)), expected, signal)).tokens
}

/** @param responses those of the results that were merged before. */
export async function merge(
  client: ClientBase,
  { result, args, options }: MergeCall,
  responses: MergeResponses,
): Promise<TokenSet> {
  const { signal } = checkOptions(options, ['signal'])
  const merging = { ...client.options, send: sendOf(client), responses }
  const { received, binding } = await mergeAccount(merging, { result, args, signal })
  return (await read(client, received, binding, signal)).tokens
}

interface MergeCall {
  result: AuthorizationResult
  args: MergeArgs
  options: CallOptions | undefined
}

export async function unmerge(
  client: ClientBase,
  account: ExternalAccount,
  options: CallOptions | undefined,
): Promise<void> {
  const { signal } = checkOptions(options, ['signal'])
  await requestAccount(sendOf(client), unmergeRequest(account, partyOf(client, signal)))
}

export async function exchangeChildToken(
  client: ClientBase,
  { parentToken, childApplicationId, options }: ChildExchange,
): Promise<TokenSet> {
  const { signal } = checkOptions(options, ['signal'])
  const { service } = client.options
  const request = childTokenRequest(parentToken, childApplicationId, { service, signal })
  const response = await requestAccount(sendOf(client), request)
  return (await read(client, receive(client, response), { clientId: String(childApplicationId) }, signal))
    .tokens
}

interface ChildExchange {
  parentToken: Secret | string
  childApplicationId: string | bigint
  options: CallOptions | undefined
}

const sendOf =
  ({ tokenClient }: ClientBase): SendJson =>
  async (request) =>
    (await tokenClient()).send(request)

async function read(
  { tokenClient }: ClientBase,
  ...answer: Parameters<TokenResponseReader>
): ReturnType<TokenResponseReader> {
  return (await tokenClient()).read(...answer)
}

function receive({ options }: ClientBase, response: ReceivedResponse['response']): ReceivedResponse {
  return { response, receivedAt: options.clock.now() }
}

function partyOf(client: ClientBase, signal: AbortSignal | undefined): AccountContext {
  return { service: client.options.service, clientId: requireClient(client), signal }
}

function requireClient({ options: { applicationId } }: ClientBase): string {
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  return applicationId
}
