/** Watches whether the service answers: the emulator all the time, any other service from its first silence on. */
import { type Signal, signal } from '@preact/signals'
import { onChange } from '../foundation/on-change'
import type { ExchangeRecorder } from '../exchanges/exchange-recorder'
import { type Preset, reloadPreset } from './preset'
import { FAULT_CONTROL_EVENTS } from './fault-controls'
import type { ServiceSettings } from './service-settings'

/** `restarted`: it answers again, without the state of before. */
export type Reach = 'reached' | 'lost' | 'restarted'

/** Between two attempts, in ms. */
const RETRY = 1000

interface Watched {
  /** Replaced in place when the emulator comes back at another address. */
  preset: Preset | null
  service: Signal<ServiceSettings>
  exchanges: ExchangeRecorder
}

export function watchService({ preset, service, exchanges }: Watched): Signal<Reach> {
  const reach = signal<Reach>('reached')
  if (preset) watchEmulator(preset, reach, () => service.value.kind === 'emulator')
  onChange(exchanges.list, (all) => {
    const { kind, host } = service.value
    if (kind !== 'custom' || !host || reach.value === 'lost' || all.at(-1)?.failure !== 'no response') return
    void awaitHost(host, reach, () => service.value.host === host && service.value.kind === 'custom')
  })
  return reach
}

/** The stream of the page's own server ends with the emulator, which runs in the same process. */
function watchEmulator(preset: Preset, reach: Signal<Reach>, isUsed: () => boolean): void {
  const stream = new EventSource(FAULT_CONTROL_EVENTS)
  stream.addEventListener('error', () => {
    stream.close()
    void check()
  })
  const check = async () => {
    const next = await reloadPreset()
    if (next === undefined) {
      if (isUsed()) reach.value = 'lost'
      return setTimeout(() => void check(), RETRY)
    }
    const isRestarted = next !== null && next.run !== preset.run
    if (next) Object.assign(preset, next)
    if (isUsed()) reach.value = isRestarted ? 'restarted' : 'reached'
    return setTimeout(() => watchEmulator(preset, reach, isUsed), RETRY)
  }
}

/** A service that answers but forbids this page to read the answer is not lost. */
async function awaitHost(host: string, reach: Signal<Reach>, isUsed: () => boolean): Promise<void> {
  const answers = () =>
    fetch(host, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
      () => true,
      () => false,
    )
  while (isUsed() && !(await answers())) {
    reach.value = 'lost'
    await new Promise((resolve) => setTimeout(resolve, RETRY))
  }
  if (reach.value === 'lost') reach.value = 'reached'
}
