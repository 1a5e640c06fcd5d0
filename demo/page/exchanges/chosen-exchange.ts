/** Exchange of the list whose details are shown. The address of the page names it. */
import { signal } from '@preact/signals'
import type { PageAddress } from '../foundation/page-address'
import { type Exchange, isFailed } from './exchange'

/** Exchange that is to be brought into view. */
interface Wanted {
  readonly id: number
  readonly hasFocus: boolean
}

export class ChosenExchange {
  /** Undefined once it is in view. */
  readonly wanted = signal<Wanted | undefined>(undefined)
  readonly #address: PageAddress
  #named: string | undefined

  constructor(address: PageAddress) {
    this.#address = address
    address.current.subscribe(({ screen, parameters }) => {
      if (screen === 'exchange') this.#follow(parameters['request'])
    })
  }

  /** The chosen one, or else the last one that failed, or else the last one. */
  of(listed: readonly Exchange[]): Exchange | undefined {
    const { screen, parameters } = this.#address.current.value
    const named = screen === 'exchange' ? Number(parameters['request']) : undefined
    return listed.find(({ id }) => id === named) ?? listed.findLast(isFailed) ?? listed.at(-1)
  }

  /** The reader has chosen an exchange. */
  choose(id: number): void {
    this.#named = String(id)
    if (this.#address.current.value.screen === 'exchange') this.#address.change({ request: String(id) })
  }

  /** Shows an exchange whatever the filter was, and moves the focus there. */
  focus(id: number): void {
    this.#named = String(id)
    const request = { request: String(id), filter: undefined, failed: undefined }
    if (this.#address.current.value.screen === 'exchange') this.#address.change(request)
    else this.#address.go('exchange', request)
    this.wanted.value = { id, hasFocus: true }
  }

  /** Brings the exchange of the address into view, once for each address. */
  #follow(named: string | undefined): void {
    if (named === this.#named) return
    this.#named = named
    if (named !== undefined) this.wanted.value = { id: Number(named), hasFocus: false }
  }
}
