/** Calls of an engine, from their start to their result. */
import { afterUnref, systemClock } from '../../shared/foundation/clock'
import { runCallback } from '../../shared/foundation/options'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { createClient } from './create-client'
import type { Messages } from './create-messages'
import { EVENTS } from './engine-methods'
import type { EngineClient, EngineSdk } from './engine-types'
import { invokeMethod, parseArguments, readResponse } from './invoke-method'

/** Number of ended lobbies whose calls are answered with the reason. */
const MAX_ENDED = 100
/** ms that a call waits for a client. */
const CLIENT_WAIT = 10_000

export interface Call {
  id: number
  method: string
  argsJson: unknown
  callback: unknown
}

export interface EngineState {
  readonly sdk: EngineSdk
  readonly messages: Messages
  /** Aborts each pending call, or stops what a call has started. */
  readonly ends: Map<number, () => void>
  /** Calls before `init`, in order, each with the function that ends its waiting. */
  readonly waiting: Map<number, { readonly call: Call; readonly stop: () => void }>
  client?: EngineClient | undefined
  /** Lobbies of the client that have ended, by id. */
  readonly ended: Map<string, unknown>
  unsubscribe: (() => void)[]
}

/** Starts a call, or keeps it until there is a client. */
export function startCall(state: EngineState, call: Call): void {
  if (!state.client && call.method !== 'init' && call.method !== 'close') return waitForClient(state, call)
  const controller = new AbortController()
  state.ends.set(call.id, () => controller.abort())
  // The executor runs at once, so that a popup opens in the player's gesture.
  new Promise((resolve) => resolve(perform(state, call, controller.signal))).then(readResponse).then(
    (value) => succeed(state, call, value),
    (error: unknown) => failCall(state, call, error),
  )
}

/** The client may come from a script that loads at the same time. Without one, the call fails, and says what is missing. */
function waitForClient(state: EngineState, call: Call): void {
  const { id, method } = call
  const fail = () =>
    failCall(
      state,
      call,
      new state.sdk.ConfigurationError('invalid_argument', `engine method ${method}: no client`, {
        remedy: `Call init with the client's options first, or use(client): nothing did within ${CLIENT_WAIT / 1000} s`,
      }),
    )
  state.waiting.set(id, { call, stop: afterUnref(systemClock, CLIENT_WAIT, fail) })
  state.ends.set(id, () => abortCall(state, call))
}

export function failCall(
  { sdk, ends, waiting, messages }: EngineState,
  { id, method, callback }: Call,
  error: unknown,
): void {
  ends.delete(id)
  waiting.get(id)?.stop()
  waiting.delete(id)
  const known =
    error instanceof sdk.FoyerError
      ? error
      : new sdk.ConfigurationError('invalid_argument', method, { cause: error })
  messages.answer({ id, method, ok: false, error: known }, callback)
}

export const abortCall = (state: EngineState, call: Call) =>
  failCall(state, call, new state.sdk.AuthorizationError('aborted'))

/** Replaces the client, and starts the calls that have waited for one. */
export function useClient(state: EngineState, client: EngineClient | undefined): void {
  for (const each of state.unsubscribe.splice(0)) each()
  state.client = client
  state.ended.clear()
  if (!client) return
  state.unsubscribe = EVENTS.map((name) => client.on(name, (data) => state.messages.emit(name, data)))
  state.unsubscribe.push(client.on('lobbyDeleted', (data) => keepEnded(state, data)))
  const calls = [...state.waiting.values()]
  state.waiting.clear()
  for (const { call, stop } of calls) {
    stop()
    startCall(state, call)
  }
}

function keepEnded({ ended }: EngineState, data: unknown): void {
  const lobby = isRecord(data) ? data['lobby'] : undefined
  if (!isRecord(lobby)) return
  const [oldest = ''] = ended.keys()
  if (ended.size >= MAX_ENDED) ended.delete(oldest)
  ended.set(String(lobby['id']), lobby)
}

function perform(state: EngineState, { method, argsJson }: Call, signal: AbortSignal): unknown {
  const { sdk, client, ended } = state
  if (method === 'init') return init(state, argsJson)
  if (method !== 'close') return invokeMethod(sdk, client, { method, argsJson, signal, ended })
  client?.close()
  return useClient(state, undefined)
}

function init(state: EngineState, argsJson: unknown): void {
  const { sdk } = state
  if (state.client)
    throw new sdk.ConfigurationError('invalid_argument', 'init', { remedy: 'Call close before another init' })
  useClient(state, createClient(sdk, parseArguments(sdk, argsJson)[0]))
}

/** A function as the value stops what the call has started: `cancel` calls it. */
function succeed({ ends, messages }: EngineState, { id, method, callback }: Call, value: unknown): void {
  ends.delete(id)
  const isStop = typeof value === 'function'
  if (isStop)
    ends.set(id, () => {
      ends.delete(id)
      runCallback(() => value())
    })
  messages.answer({ id, method, ok: true, value: isStop ? null : (value ?? null) }, callback)
}
