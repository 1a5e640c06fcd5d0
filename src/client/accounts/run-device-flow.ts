/** Device flow: shows a code and polls until the player has approved it elsewhere. Based on deadlines, so that the device may sleep. */
import type { Clock } from '../../shared/foundation/clock'
import { AuthorizationError } from '../../shared/foundation/errors'
import { surfaceFault } from '../../shared/authorization/surface-fault'
import type { Log } from '../../shared/foundation/log-entry'
import { createDeferred } from '../../shared/foundation/async'
import { parseRetryAfter } from '../../shared/foundation/oauth-errors'
import type { SendJson } from '../../shared/http/http-client'
import { sendAccountRequest, requestAccount } from '../../shared/tokens/account-requests'
import {
  decodeDevice,
  type DeviceAuthorization,
  type DeviceContext,
  deviceRequest,
  deviceTokenRequest,
  type DeviceUserCode,
  isFailure,
  evaluateResponse,
  evaluateFailure,
  MAX_LIFETIME,
  type PollResult,
} from './device-authorization'
import type { ReceivedResponse } from '../../shared/tokens/token-endpoint'
import type { TokenSet } from '../../shared/tokens/token-set'

export interface DeviceFlowContext {
  send: SendJson
  clock: Clock
  /** Aborted when the client is closed. */
  closeSignal: AbortSignal
  log: Log
  /** Decodes and verifies a token response. */
  read: (received: ReceivedResponse, signal: AbortSignal) => Promise<TokenSet>
}

export interface DeviceFlowOptions {
  /** Shows the code. Called once. */
  onUserCode: (code: DeviceUserCode) => void
  /** Each ends the flow as `aborted`. */
  signals: readonly (AbortSignal | undefined)[]
}

/** A device that waits for approval. */
interface PendingDevice {
  context: DeviceFlowContext
  client: DeviceContext
  device: DeviceAuthorization
  signal: AbortSignal
}

/**
 * @throws AuthorizationError `access_denied`, `timed_out`, `aborted`, `surface_failed` if `onUserCode` throws. @throws the errors of the
 * requests.
 */
export function runDeviceFlow(
  context: DeviceFlowContext,
  client: DeviceContext,
  options: DeviceFlowOptions,
): Promise<TokenSet> {
  const { onUserCode, signals } = options
  // The code expires earlier; this timeout is for a service that never responds.
  const pending = createDeferred<TokenSet>(context.clock, {
    timeout: 2 * MAX_LIFETIME,
    signals: [...signals, context.closeSignal],
    makeError,
  })
  const { signal } = pending
  const run = async () => {
    const device = await requestCode(context, client, signal)
    showCode(device, onUserCode)
    const pendingDevice = { context, client, device, signal }
    return readWithRetries(pendingDevice, await waitForTokens(pendingDevice))
  }
  if (!signal.aborted) run().then(pending.resolve, pending.reject)
  return pending.promise
}

const makeError = (code: 'timed_out' | 'aborted') => new AuthorizationError(code)

async function requestCode(
  context: DeviceFlowContext,
  client: DeviceContext,
  signal: AbortSignal,
): Promise<DeviceAuthorization> {
  const { clock, log } = context
  log('info', 'device.requested')
  const response = await requestAccount(context.send, { ...deviceRequest(client), signal })
  return decodeDevice(response, { host: client.service.host, now: clock.now() })
}

function showCode(
  { userCode, verificationUri, verificationUriComplete, expiresAt }: DeviceAuthorization,
  onUserCode: DeviceFlowOptions['onUserCode'],
) {
  try {
    onUserCode({ userCode, verificationUri, verificationUriComplete, expiresAt })
  } catch (error) {
    throw surfaceFault(error)
  }
}

async function waitForTokens(pendingDevice: PendingDevice): Promise<ReceivedResponse> {
  const { context, device } = pendingDevice
  for (let { interval } = device, wait = interval; ;) {
    await pause(pendingDevice, wait)
    const result = await poll(pendingDevice, interval)
    if ('granted' in result) return { response: result.granted, receivedAt: context.clock.now() }
    const { delay = 0 } = ({ interval } = result)
    wait = Math.max(interval, delay)
    context.log('debug', 'device.waiting', { interval: wait })
  }
}

/** Polls once. `delay`: wait in ms that the service requested for this time (RFC 9110 section 10.2.3). */
async function poll(
  { context, client, device, signal }: PendingDevice,
  interval: number,
): Promise<PollResult & { delay?: number }> {
  const request = { ...deviceTokenRequest(client, device.deviceCode), signal }
  try {
    const response = await sendAccountRequest(context.send, request)
    const { retryAfter, date = context.clock.now() } = response
    return {
      ...evaluateResponse(response, { route: request.route, interval }),
      delay: parseRetryAfter(retryAfter, date),
    }
  } catch (error) {
    if (isFailure(error)) return evaluateFailure(error, interval)
    throw error
  }
}

/** The tokens have arrived: the keys are fetched until the code expires, and the last failure says what is missing. */
async function readWithRetries(pendingDevice: PendingDevice, received: ReceivedResponse): Promise<TokenSet> {
  const { context, device, signal } = pendingDevice
  for (let { interval } = device; ;) {
    try {
      return await context.read(received, signal)
    } catch (error) {
      if (!isFailure(error)) throw error
      ;({ interval } = evaluateFailure(error, interval))
      if (context.clock.now() + interval >= device.expiresAt) throw error
    }
    await pause(pendingDevice, interval)
  }
}

/** Waits, at most until the code expires. After the machine slept, the clock shows that the code has expired. */
async function pause(
  { context: { clock }, device: { expiresAt }, signal }: PendingDevice,
  ms: number,
): Promise<void> {
  await sleep(clock, Math.min(ms, Math.max(0, expiresAt - clock.now())), signal)
  if (signal.aborted) throw new AuthorizationError('aborted')
  if (clock.now() >= expiresAt) throw new AuthorizationError('timed_out')
}

/** Resolves early when the signal aborts. */
function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancel()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.after(ms, finish)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
