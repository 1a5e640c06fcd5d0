/** Callback that a tester enters by hand: its address comes from another browser, another device, or a custom scheme. */
import type { OpenOptions } from 'foyer-sdk'
import { Store } from '../observable'

/** Attempt that waits for it. */
interface AwaitedCallback {
  /** Authorize URL, to open elsewhere. */
  readonly url: string
  readonly options: OpenOptions
}

export class EnteredCallback {
  /** Undefined while no attempt waits. */
  readonly awaited = new Store<AwaitedCallback | undefined>(undefined)
  #take: ((callback: string) => void) | undefined

  /** Resolves with the callback of this attempt. It is not checked here: the SDK does that. */
  wait(url: string, options: OpenOptions): Promise<string> {
    return new Promise((resolve) => {
      this.#take = resolve
      this.awaited.set({ url, options })
      options.signal.addEventListener('abort', () => {
        if (this.awaited.value?.options === options) this.awaited.set(undefined)
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
