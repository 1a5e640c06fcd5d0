/** Delivers results and events to callbacks, or keeps them for a poll. Always later than the call that caused them. */
import { runCallback } from '../../shared/foundation/options'
import type { Engine, EngineCallback } from './engine-types'
import { createMessageQueue } from './message-queue'

export interface Messages extends Pick<Engine, 'poll'> {
  /** Calls back for each event. Undefined for what is no function. */
  on(callback: EngineCallback): (() => void) | undefined
  /** Sends a result to the callback of its call, if there is one. */
  answer(message: object, callback: unknown): void
  /** Sends an event to all listeners. */
  emit(event: string, data: unknown): void
}

export function createMessages(): Messages {
  const queue = createMessageQueue()
  const listeners = new Set<EngineCallback>()
  const callAll = (json: string) => listeners.forEach((listener) => runCallback(() => listener(json)))
  return {
    answer(message, callback) {
      const json = toJson(message)
      later(() =>
        typeof callback === 'function' ? runCallback(() => callback(json)) : queue.add(json, 'result'),
      )
    },
    emit(event, data) {
      const json = toJson({ event, data })
      later(() => (listeners.size > 0 ? callAll(json) : queue.add(json, 'event')))
    },
    on(callback) {
      if (typeof callback !== 'function') return undefined
      listeners.add(callback)
      return () => void listeners.delete(callback)
    },
    poll: () => queue.take(),
  }
}

/** Errors and sessions have their own JSON, without secrets. */
const toJson = (message: object) =>
  JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

function later(run: () => void): void {
  void Promise.resolve().then(run)
}
