/** Runs sign-ins by a device code, with Foyer or with the unrelated library: one at a time, cancellable. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { DeviceCode } from '../../independent/independent-client'
import { type Facts, tokenSetFacts } from '../../independent/report'
import { onChange } from '../../foundation/on-change'
import type { ArgumentsForm } from '../../game/arguments-form'
import type { Connection } from '../../game/connection'
import type { ServiceSettings } from '../../game/service-settings'
import type { PageClock } from '../../game/page-clock'
import { explain } from '../../game/explain'
import { failureOf, type IndependentSignIn } from '../../independent/independent-sign-in'

export type Party = 'foyer' | 'oauth4webapi'

export type DeviceResult =
  | { readonly kind: 'granted'; readonly facts: Facts }
  | { readonly kind: 'failed'; readonly code: string; readonly text: string }

export type DeviceProgress =
  | { readonly kind: 'none' }
  | { readonly kind: 'requesting' }
  /** `seconds`: until the next poll; undefined before the first one. */
  | { readonly kind: 'waiting'; readonly code: DeviceCode; readonly polls: number; readonly seconds?: number }
  | DeviceResult

interface Context {
  readonly service: ReadonlySignal<ServiceSettings>
  readonly connection: ReadonlySignal<Connection>
  readonly form: ReadonlySignal<ArgumentsForm>
  readonly clock: PageClock
  readonly independent: IndependentSignIn
}

/** Calls of a running sign-in. */
interface Listener {
  signal: AbortSignal
  onCode: (code: DeviceCode) => void
  /** Called after each poll that found the player undecided, with the seconds until the next one. */
  onPoll: (seconds: number) => void
}

export class DeviceSignIn {
  readonly progress = signal<DeviceProgress>({ kind: 'none' })
  readonly #context: Context
  #running: AbortController | undefined

  constructor(context: Context) {
    this.#context = context
    // The code belongs to the service that issued it.
    onChange(context.service, () => this.cancel())
  }

  async start(party: Party): Promise<void> {
    this.cancel()
    const running = (this.#running = new AbortController())
    this.progress.value = { kind: 'requesting' }
    const listener = this.#listen(running.signal)
    const result = await (party === 'foyer'
      ? withFoyer(this.#context, listener)
      : withOther(this.#context, listener))
    if (this.#running === running) this.progress.value = result
  }

  cancel(): void {
    this.#running?.abort()
  }

  #listen(aborted: AbortSignal): Listener {
    return {
      signal: aborted,
      onCode: (code) => {
        if (!aborted.aborted) this.progress.value = { kind: 'waiting', code, polls: 0 }
      },
      onPoll: (seconds) => {
        const before = this.progress.value
        if (!aborted.aborted && before.kind === 'waiting')
          this.progress.value = { ...before, polls: before.polls + 1, seconds }
      },
    }
  }
}

async function withFoyer(
  { connection, form, clock }: Context,
  { signal: aborted, onCode, onPoll }: Listener,
): Promise<DeviceResult> {
  const { client, error: missing } = connection.value
  if (!client) return { kind: 'failed', code: explain(missing).code, text: explain(missing).advice }
  const stop = client.on('log', ({ step, data }) => {
    if (step === 'device.waiting') onPoll(Number(data['interval']) / 1000)
  })
  try {
    const tokens = await client.accounts.getTokenFromDevice(
      { scopes: form.value.scopes },
      { signal: aborted, onUserCode: onCode },
    )
    return { kind: 'granted', facts: tokenSetFacts(tokens, clock.now()) }
  } catch (error) {
    const { code, detail, advice } = explain(error)
    return { kind: 'failed', code, text: detail === '' ? advice : `${detail}. ${advice}` }
  } finally {
    stop()
  }
}

async function withOther(
  { independent }: Context,
  { signal: aborted, onCode, onPoll }: Listener,
): Promise<DeviceResult> {
  try {
    return { kind: 'granted', facts: await independent.device(aborted, onCode, onPoll) }
  } catch (error) {
    const { code, text } = failureOf(error)
    return { kind: 'failed', code, text }
  }
}
