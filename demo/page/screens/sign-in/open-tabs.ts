/** Tabs of this page that are open with the same profile, and which of them refreshed the tokens. A tab is open while it holds its lock. */
import { signal, type Signal } from '@preact/signals'
import type { DemoContext } from '../../context/demo-context'
import { everySecond } from '../../foundation/every-second'
import { onChange } from '../../foundation/on-change'
import { storeLabel } from '../../game/token-store-option'

/** State of one tab, as it reports itself to the others. */
export interface TabState {
  readonly id: string
  /** Epoch ms. */
  readonly openedAt: number
  /** State of its session; empty if nobody is signed in. */
  readonly session: string
  /** Label of the store of its session. */
  readonly store: string
  /** Number of refreshes that this tab requested itself. */
  readonly refreshes: number
  /** Epoch ms of the last new tokens of the session. */
  readonly renewedAt?: number
  /** True if another tab had requested them. */
  readonly isElsewhere?: boolean
}

type Message = { kind: 'state'; tab: TabState } | { kind: 'present' } | { kind: 'call'; at: number }

const LOCK = 'foyer-demo:tab:'
/** Time until all tabs have received a message, in ms. */
const DELIVERY = 150

export class OpenTabs {
  /** All open tabs, the oldest first; this one included. */
  readonly list: Signal<readonly TabState[]>
  /** Called in every tab at the same moment, after `callInAll`. */
  onCall: () => void = () => undefined
  readonly id = crypto.randomUUID()
  readonly #channel: BroadcastChannel
  readonly #profile: string

  constructor(profile: string) {
    this.#profile = profile
    this.list = signal<readonly TabState[]>([
      { id: this.id, openedAt: Date.now(), session: '', store: '', refreshes: 0 },
    ])
    this.#channel = new BroadcastChannel(`${LOCK}${profile}`)
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#receive(data))
    void navigator.locks.request(`${LOCK}${profile}:${this.id}`, () => new Promise(() => undefined))
    this.#post({ kind: 'present' })
  }

  get own(): TabState {
    const own = this.list.value.find(({ id }) => id === this.id)
    if (!own) throw new Error('This tab is not in the list.')
    return own
  }

  /** Changes the state of this tab, and reports it to the others. */
  change(change: Partial<Omit<TabState, 'id' | 'openedAt'>>): void {
    const next = { ...this.own, ...change }
    if (JSON.stringify(next) === JSON.stringify(this.own)) return
    this.#put(next)
    this.#post({ kind: 'state', tab: next })
  }

  /** Makes every open tab call `onCall` at the same moment, this one included. */
  callInAll(): void {
    const at = Date.now() + DELIVERY
    this.#post({ kind: 'call', at })
    this.#callAt(at)
  }

  /** Removes the tabs that were closed, or ended in any other way: the browser has released their locks. */
  async prune(): Promise<void> {
    const { held = [] } = await navigator.locks.query()
    const open = new Set(held.map(({ name }) => name))
    const left = this.list.value.filter(
      ({ id }) => id === this.id || open.has(`${LOCK}${this.#profile}:${id}`),
    )
    if (left.length !== this.list.value.length) this.list.value = left
  }

  #receive(message: Message): void {
    if (message.kind === 'state') this.#put(message.tab)
    else if (message.kind === 'call') this.#callAt(message.at)
    else this.#post({ kind: 'state', tab: this.own })
    if (message.kind === 'present') void this.prune()
  }

  #callAt(at: number): void {
    setTimeout(() => this.onCall(), Math.max(0, at - Date.now()))
  }

  #put(tab: TabState): void {
    const others = this.list.value.filter(({ id }) => id !== tab.id)
    this.list.value = [...others, tab].toSorted((a, b) => a.openedAt - b.openedAt || a.id.localeCompare(b.id))
  }

  #post(message: Message): void {
    this.#channel.postMessage(message)
  }
}

/** Undefined if the browser has no Web Locks or no BroadcastChannel. */
export function followSession(context: DemoContext, profile: string): OpenTabs | undefined {
  if (!('locks' in navigator) || typeof BroadcastChannel !== 'function') return undefined
  const { sessionLog, storeKind, connection, signIn } = context
  const tabs = new OpenTabs(profile)
  const report = () =>
    tabs.change({ session: sessionLog.session?.state ?? '', store: storeLabel(storeKind.value) })
  connection.subscribe(({ client }) => {
    client?.on('tokenRefreshed', ({ elsewhere }) => {
      const refreshes = tabs.own.refreshes + (elsewhere ? 0 : 1)
      tabs.change({ refreshes, renewedAt: Date.now(), isElsewhere: elsewhere })
    })
  })
  tabs.onCall = () => {
    if (sessionLog.session) void sessionLog.callApi()
  }
  for (const changed of [sessionLog.revision, storeKind]) changed.subscribe(report)
  onChange(signIn.player, report)
  everySecond(() => void tabs.prune())
  return tabs
}
