/** Runs one action of a client at a time, and shows its label and its error. */
import { signal } from '@preact/signals'
import type { Client } from 'foyer-sdk'

export class ClientAction {
  /** Error of the last action. */
  readonly failure = signal<unknown>(undefined)
  /** Label of the running action; empty if none runs. */
  readonly doing = signal('')
  readonly #clientNow: () => Client | undefined

  constructor(clientNow: () => Client | undefined) {
    this.#clientNow = clientNow
  }

  /** Without a client nothing runs. An error of a client that was replaced meanwhile is dropped. */
  async run(words: string, work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = this.#clientNow()
    if (!client) return
    this.doing.value = words
    this.failure.value = undefined
    try {
      await work(client)
    } catch (error) {
      if (client === this.#clientNow()) this.failure.value = error
    } finally {
      this.doing.value = ''
    }
  }
}
