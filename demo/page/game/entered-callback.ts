/** Callback that a tester enters by hand: its address comes from another browser, another device, or a custom scheme. */
import { signal } from '@preact/signals'
import type { OpenOptions } from 'foyer-sdk'

/** Attempt that waits for it. */
interface AwaitedCallback {
  /** Authorize URL, to open elsewhere. */
  readonly url: string
  readonly options: OpenOptions
}

export class EnteredCallback {
  /** Undefined while no attempt waits. */
  readonly awaited = signal<AwaitedCallback | undefined>(undefined)
  #take: ((callback: string) => void) | undefined

  /** Resolves with the callback of this attempt. It is not checked here: the SDK does that. */
  wait(url: string, options: OpenOptions): Promise<string> {
    return new Promise((resolve) => {
      this.#take = resolve
      this.awaited.value = { url, options }
      options.signal.addEventListener('abort', () => {
        if (this.awaited.value?.options === options) this.awaited.value = undefined
      })
    })
  }

  /** Returns false, and goes on waiting, if the address belongs to another attempt or is none. */
  enter(callback: string): boolean {
    if (!this.awaited.value?.options.belongs(callback)) return false
    this.#take?.(callback)
    return true
  }
}
