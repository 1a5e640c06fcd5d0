/** Changes of a signal, without the value that it has at first. */
import type { ReadonlySignal } from '@preact/signals'

/** Calls the listener on every change. Returns a function that unsubscribes. */
export function onChange<T>(signal: ReadonlySignal<T>, listener: (value: T) => void): () => void {
  let isFirst = true
  return signal.subscribe((value) => {
    if (!isFirst) listener(value)
    isFirst = false
  })
}
