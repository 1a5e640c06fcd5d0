/** Shows a code, asks until the player has answered it elsewhere, and ends with the code: by deadlines, so that a device may sleep. */
import type { Clock } from '../../foundation/clock'
import { AuthorizationError } from '../../foundation/errors'
import type { Log } from '../../foundation/log'
import { createDeferred } from '../../foundation/deferred'
import { parseRetryAfter } from '../../foundation/token-error'
import type { SendJson } from '../../http/request'
import { sendAccountRequest, requestAccount } from '../accounts/account-request'
import {
  decodeDevice,
  type DeviceAuthorization,
  type DeviceContext,
  deviceRequest,
  deviceTokenRequest,
  type DeviceUserCode,
  isFailure,
  judgeAnswer,
  judgeFailure,
  LONGEST_LIFE,
  type Verdict,
} from './device-protocol'
import type { ReceivedResponse } from '../token-response'
import type { TokenSet } from '../token-set'

export interface DeviceFlowContext {
  send: SendJson
  clock: Clock
  /** Aborts when the client is closed. */
  closeSignal: AbortSignal
  log: Log
  /** Reads and verifies what came. */
  read: (answered: ReceivedResponse, signal: AbortSignal) => Promise<TokenSet>
}

export interface DeviceFlowOptions {
  /** Shows the code. Called once. */
  onUserCode: (code: DeviceUserCode) => void
  /** Each ends the flow as `aborted`. */
  signals: readonly (AbortSignal | undefined)[]
}

/** One device that waits. */
interface PendingDevice {
  context: DeviceFlowContext
  party: DeviceContext
  device: DeviceAuthorization
  signal: AbortSignal
}

/** @throws AuthorizationError `access_denied`, `timed_out`, `aborted`, `surface_failed` when `onUserCode` throws. And what the requests throw. */
export function runDeviceFlow(context: DeviceFlowContext, party: DeviceContext, options: DeviceFlowOptions): Promise<TokenSet> {
  const { onUserCode, signals } = options
  // The code's own end comes earlier; this one is for a service that never answers at all.
  const pending = createDeferred<TokenSet>(context.clock, {
    timeout: 2 * LONGEST_LIFE,
    signals: [...signals, context.closeSignal],
    makeError,
  })
  const { signal } = pending
  const run = async () => {
    const device = await begin(context, party, signal)
    show(device, onUserCode)
    const waiting = { context, party, device, signal }
    return readWithRetries(waiting, await waitForTokens(waiting))
  }
  if (!signal.aborted) run().then(pending.resolve, pending.reject)
  return pending.promise
}

const makeError = (code: 'timed_out' | 'aborted') => new AuthorizationError(code)

async function begin(context: DeviceFlowContext, party: DeviceContext, signal: AbortSignal): Promise<DeviceAuthorization> {
  const { clock, log } = context
  log('info', 'device.requested')
  const answer = await requestAccount(context.send, { ...deviceRequest(party), signal })
  return decodeDevice(answer, { host: party.service.host, now: clock.now() })
}

function show(
  { userCode, verificationUri, verificationUriComplete, expiresAt }: DeviceAuthorization,
  onUserCode: DeviceFlowOptions['onUserCode'],
) {
  try {
    onUserCode({ userCode, verificationUri, verificationUriComplete, expiresAt })
  } catch (error) {
    throw new AuthorizationError('surface_failed', { cause: error })
  }
}

async function waitForTokens(waiting: PendingDevice): Promise<ReceivedResponse> {
  const { context, device } = waiting
  for (let { interval } = device, wait = interval; ;) {
    await pause(waiting, wait)
    const verdict = await ask(waiting, interval)
    if ('granted' in verdict) return { answer: verdict.granted, receivedAt: context.clock.now() }
    const { asked = 0 } = ({ interval } = verdict)
    wait = Math.max(interval, asked)
    context.log('debug', 'device.waiting', { interval: wait })
  }
}

/** `asked`: for how long, in ms, the service wants to be left alone this once (RFC 9110 section 10.2.3). */
async function ask({ context, party, device, signal }: PendingDevice, interval: number): Promise<Verdict & { asked?: number }> {
  const request = { ...deviceTokenRequest(party, device.deviceCode), signal }
  try {
    const answer = await sendAccountRequest(context.send, request)
    const { retryAfter, date = context.clock.now() } = answer
    return { ...judgeAnswer(answer, { route: request.route, interval }), asked: parseRetryAfter(retryAfter, date) }
  } catch (error) {
    if (isFailure(error)) return judgeFailure(error, interval)
    throw error
  }
}

/** The tokens are here: keys that cannot be fetched just now must not cost the player the sign-in. */
async function readWithRetries(waiting: PendingDevice, answered: ReceivedResponse): Promise<TokenSet> {
  const { context, device, signal } = waiting
  for (let { interval } = device; ;) {
    try {
      return await context.read(answered, signal)
    } catch (error) {
      if (!isFailure(error) || context.clock.now() >= device.expiresAt) throw error
      const verdict = judgeFailure(error, interval)
      if ('interval' in verdict) ({ interval } = verdict)
    }
    await pause(waiting, interval)
  }
}

/** Sleeps, but not past the end of the code. A machine that slept meanwhile finds that end by the clock. */
async function pause({ context: { clock }, device: { expiresAt }, signal }: PendingDevice, ms: number): Promise<void> {
  await sleep(clock, Math.min(ms, Math.max(0, expiresAt - clock.now())), signal)
  if (signal.aborted) throw new AuthorizationError('aborted')
  if (clock.now() >= expiresAt) throw new AuthorizationError('timed_out')
}

/** Ends early when the signal does. */
function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.after(ms, wake)
    signal.addEventListener('abort', wake)
    if (signal.aborted) wake()
  })
}
