/** Fragment of the page's address: the screen, and the state of it that a reload, a link and the browser's buttons restore. */
import { type Signal, signal } from '@preact/signals'

export const SCREEN_NAMES = [
  'player',
  'exchange',
  'token',
  'lobby',
  'limits',
  'commands',
  'doctor',
  'service',
] as const
export type Screen = (typeof SCREEN_NAMES)[number]

/** Parameter of every screen: the chosen service. */
const SHARED = 'service'
/** State of a history entry that this page made: one without it was opened by a link. */
const OWN = 'foyer-demo'

export type Parameters = Readonly<Partial<Record<string, string>>>

export interface Address {
  readonly screen: Screen
  readonly parameters: Parameters
}

/** Parses `#exchange?filter=token`. Undefined for any other fragment, such as an anchor. */
function parseAddress(fragment: string): Address | undefined {
  const [name, query] = fragment.replace(/^#/, '').split('?', 2)
  const screen = SCREEN_NAMES.find((one) => one === name)
  return screen && { screen, parameters: Object.fromEntries(new URLSearchParams(query)) }
}

/** Formats an address as a fragment; empty parameters are left out. */
function formatAddress({ screen, parameters }: Address): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const query = new URLSearchParams(given).toString()
  return query === '' ? `#${screen}` : `#${screen}?${query}`
}

export class PageAddress {
  readonly current: Signal<Address>
  /** Screen of an address without a fragment. */
  readonly #home: Screen
  /** Parameters of the screens that were left. */
  readonly #left = new Map<Screen, Parameters>()

  constructor(home: Screen) {
    this.current = signal<Address>(parseAddress(location.hash) ?? { screen: home, parameters: {} })
    this.#home = home
    window.addEventListener('hashchange', () => this.read())
    window.addEventListener('popstate', () => this.read())
  }

  /** True if this page made the entry of the history, or has accepted it. */
  get isOwn(): boolean {
    return history.state === OWN
  }

  /** Accepts the entry of the history: the buttons back and forward may return to its service. */
  accept(): void {
    if (!this.isOwn) history.replaceState(OWN, '')
  }

  /** Reads the address bar. Call it after the SDK has restored the page that a sign-in left: no event reports that. */
  read(): void {
    const next =
      parseAddress(location.hash) ??
      (location.hash === '' ? { screen: this.#home, parameters: {} } : undefined)
    if (next) this.#set(next)
  }

  /** Returns the fragment that opens a screen as it was left. */
  linkTo(screen: Screen): string {
    const { parameters } = this.current.value
    const own = screen === this.current.value.screen ? parameters : (this.#left.get(screen) ?? {})
    return formatAddress({ screen, parameters: { ...own, [SHARED]: parameters[SHARED] } })
  }

  /** Opens a screen as it was left, with other parameters. */
  go(screen: Screen, parameters: Parameters): void {
    const { parameters: left } = this.current.value
    const next: Address = {
      screen,
      parameters: { ...this.#left.get(screen), ...parameters, [SHARED]: left[SHARED] },
    }
    history.pushState(OWN, '', formatAddress(next))
    this.#set(next)
  }

  /** Changes parameters of the current screen; undefined removes one. `push` adds an entry to the history. */
  change(parameters: Parameters, { push = false } = {}): void {
    const { screen, parameters: before } = this.current.value
    if (Object.entries(parameters).every(([name, value]) => (before[name] ?? '') === (value ?? ''))) return
    const next: Address = { screen, parameters: { ...before, ...parameters } }
    const fragment = formatAddress(next)
    // Without a fragment the address stays as it was opened.
    const url = fragment === `#${this.#home}` ? location.pathname + location.search : fragment
    history[push ? 'pushState' : 'replaceState'](OWN, '', url)
    this.#set(next)
  }

  #set(next: Address): void {
    const { screen, parameters } = this.current.value
    if (formatAddress(next) === formatAddress(this.current.value)) return
    this.#left.set(screen, parameters)
    this.current.value = next
  }
}
