/** Facade of a client for game engines, whose scripts exchange only strings and numbers with a page. */
import { createMessages } from './create-messages'
import { abortCall, type Call, type EngineState, failCall, startCall, useClient } from './start-call'
import type { Engine, EngineSdk } from './engine-types'
import { type Gestures, listenForGestures } from './next-gesture'

/** Nothing is created and no listener is added before the first call. */
export function createEngine(sdk: EngineSdk): Engine {
  const messages = createMessages()
  const state: EngineState = {
    sdk,
    messages,
    ends: new Map(),
    waiting: new Map(),
    ended: new Map(),
    unsubscribe: [],
  }
  const startInGesture = createGestureStarter(state)
  let lastId = 0
  let gestures: Gestures | undefined
  // From the first call on: the gesture of a later one may be over when the engine processes it.
  const watch = () => (gestures ??= listenForGestures())
  const register = (method: unknown, argsJson: unknown, callback: unknown): Call => {
    watch()
    return {
      id: ++lastId,
      method: typeof method === 'string' ? method : typeof method,
      argsJson: argsJson ?? '',
      callback,
    }
  }
  // Neither has a result, and nothing may throw.
  const refuse = (name: 'on' | 'use', argument: string, remedy: string) => {
    const error = new sdk.ConfigurationError('invalid_argument', `engine.${name}: ${argument}`, { remedy })
    messages.emit('refused', { function: name, error })
    return () => undefined
  }
  return {
    call(...given) {
      const call = register(given[0], given[1], given[2])
      startCall(state, call)
      return call.id
    },
    callOnGesture(...given) {
      const call = register(given[0], given[1], given[2])
      startInGesture(call, watch())
      return call.id
    },
    cancel: (id: unknown) =>
      typeof id === 'number' || typeof id === 'string' ? state.ends.get(Number(id))?.() : undefined,
    on: (callback) =>
      messages.on(callback) ?? refuse('on', 'callback', 'Give a function, which gets each event as JSON'),
    poll: () => messages.poll(),
    use(client) {
      watch()
      if (typeof client?.on === 'function') useClient(state, client)
      else refuse('use', 'client', 'Give a client: new Foyer.Client({ … })')
    },
  }
}

/** Only one call waits for a gesture: an engine that repeats it in every frame must not open several popups. */
function createGestureStarter(state: EngineState): (call: Call, gestures: Gestures) => void {
  let supersede: (() => void) | undefined
  return (call, gestures) => {
    supersede?.()
    const stop = gestures.run(() => {
      supersede = undefined
      startCall(state, call)
    })
    if (!stop) return
    const end = (fail: () => void) => () => {
      supersede = undefined
      stop()
      fail()
    }
    supersede = end(() => failCall(state, call, new state.sdk.AuthorizationError('superseded')))
    state.ends.set(
      call.id,
      end(() => abortCall(state, call)),
    )
  }
}
