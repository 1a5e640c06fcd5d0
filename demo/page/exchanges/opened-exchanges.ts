/** Which exchanges of the list are open. The address of the page names one of them. */
import { signal } from '@preact/signals'
import type { PageAddress } from '../foundation/page-address'
import { type Exchange, isFailed } from './exchange'

/** Exchange that is to be brought into view. */
interface Wanted {
  readonly id: number
  readonly hasFocus: boolean
}

export class OpenedExchanges {
  /** Undefined once it is in view. */
  readonly wanted = signal<Wanted | undefined>(undefined)
  /** What was opened or closed, by id. */
  readonly #chosen = signal<ReadonlyMap<number, boolean>>(new Map())
  readonly #address: PageAddress
  #named: string | undefined

  constructor(address: PageAddress) {
    this.#address = address
    address.current.subscribe(({ screen, parameters }) => {
      if (screen === 'exchange') this.#follow(parameters['request'])
    })
  }

  /** A failed exchange is open until it is closed. */
  isOpen(exchange: Exchange): boolean {
    return this.#chosen.value.get(exchange.id) ?? isFailed(exchange)
  }

  /** The reader has opened or closed an exchange. */
  toggle(id: number, { isOpen }: { isOpen: boolean }): void {
    this.#choose(id, { isOpen })
    const { screen, parameters } = this.#address.current.value
    if (screen !== 'exchange') return
    if (isOpen) this.#address.change({ request: String(id) })
    else if (parameters['request'] === String(id)) this.#address.change({ request: undefined })
  }

  /** Opens an exchange, shows it whatever the filter was, and moves the focus there. */
  focus(id: number): void {
    this.#choose(id, { isOpen: true })
    const request = { request: String(id), filter: undefined, failed: undefined }
    if (this.#address.current.value.screen === 'exchange') this.#address.change(request)
    else this.#address.go('exchange', request)
    this.wanted.value = { id, hasFocus: true }
  }

  /** Opens the exchange of the address, once for each address. */
  #follow(named: string | undefined): void {
    if (named === this.#named) return
    this.#named = named
    const id = Number(named)
    if (named === undefined || this.#chosen.value.get(id) === true) return
    this.#choose(id, { isOpen: true })
    this.wanted.value = { id, hasFocus: false }
  }

  #choose(id: number, { isOpen }: { isOpen: boolean }): void {
    this.#chosen.value = new Map([...this.#chosen.value, [id, isOpen]])
  }
}
