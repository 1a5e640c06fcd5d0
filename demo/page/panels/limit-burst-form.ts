/** Form of the limits screen: sends a burst, and sets what the service reports about its limits. */
import {
  type BurstResult,
  describeBurst,
  type HeaderMode,
  resetLimits,
  sendBurst,
  type ServiceLimitsMeter,
  setLimits,
} from '../limits/service-limits'
import { busy } from '../ui/busy-line'
import { h } from '../ui/create-element'

const CALLS = [
  { value: 'get_lobby', label: 'read a lobby' },
  { value: 'add_lobby_member', label: 'add a member to a lobby' },
] as const

const HEADERS: readonly { value: HeaderMode; label: string }[] = [
  { value: 'visible', label: 'sent, and readable by pages' },
  { value: 'hidden', label: 'sent, but not readable by pages (CORS)' },
  { value: 'absent', label: 'not sent' },
]

const TOTALS = [
  { value: 'usual', label: '50 in a second' },
  { value: 'raised', label: '1,200 in a second, raised on request' },
] as const

export function burstForm(meter: ServiceLimitsMeter): HTMLElement {
  const outcome = h('p', { class: 'outcome', role: 'status' })
  const count = h('input', { id: 'burst-count', type: 'number', min: 1, max: 2000, value: 600, required: true })
  const call = select('burst-call', CALLS)
  const buttons = [
    h('button', { type: 'submit', value: 'sdk' }, ['Burst with Foyer']),
    h('button', { type: 'submit', class: 'secondary', value: 'plain' }, ['Burst without Foyer']),
    h('button', { type: 'button', class: 'secondary', onclick: () => void reset() }, ['Reset the counts']),
  ]
  const run = (words: string, work: () => Promise<string>) => attempt({ outcome, buttons, words }, work)
  const burst = (plain: boolean) => {
    const order = { count: count.valueAsNumber, call: call.value, plain }
    const words = `Sending ${order.count} requests at once …`
    return run(words, async () => explain(await sendBurst(order), plain))
  }
  const reset = () =>
    run('Resetting …', async () => {
      await resetLimits()
      meter.clear()
      return 'All counts begin again.'
    })
  const submit = (event: Event) => {
    event.preventDefault()
    void burst(event instanceof SubmitEvent && event.submitter?.getAttribute('value') === 'plain')
  }
  return h('form', { class: 'burst', 'aria-label': 'Burst', onsubmit: submit }, [
    h('p', { class: 'hint' }, [
      'The backend of the game sends the requests with its bot token, all at once. Foyer starts each when its limits allow it; without Foyer, the service refuses what is too much.',
    ]),
    h('div', { class: 'burst-fields' }, [field('Requests', count), field('Each of them', call), ...settingFields(meter, run)]),
    h('div', { class: 'buttons' }, buttons),
    outcome,
  ])
}

type Run = (words: string, work: () => Promise<string>) => Promise<void>

/** Settings of the emulator: they apply at once, and show what another page has set. */
function settingFields(meter: ServiceLimitsMeter, run: Run): HTMLElement[] {
  const headers = select('limit-headers', HEADERS)
  const total = select('limit-total', TOTALS)
  headers.addEventListener('change', () => {
    const chosen = HEADERS.find(({ value }) => value === headers.value)
    if (chosen) void run('Setting …', () => setLimits({ headers: chosen.value }).then(() => `Headers of rate limits: ${chosen.label}.`))
  })
  total.addEventListener('change', () => {
    void run('Setting …', () => setLimits({ raised: total.value === 'raised' }).then(() => 'The limit of all requests was set.'))
  })
  meter.current.subscribe((read) => {
    if (!read) return
    if (document.activeElement !== headers) headers.value = read.headers
    if (document.activeElement !== total) total.value = read.raised ? 'raised' : 'usual'
  })
  return [field('Headers of rate limits', headers), field('All requests together', total)]
}

function explain(result: BurstResult, plain: boolean): string {
  const words = describeBurst(result)
  if (result.refused === 0) return words
  return plain ? `${words} Each refusal counts towards a block of the address.` : `${words} Something else used the same limits.`
}

interface Attempt {
  readonly outcome: HTMLElement
  readonly buttons: readonly HTMLButtonElement[]
  readonly words: string
}

async function attempt({ outcome, buttons, words }: Attempt, work: () => Promise<string>): Promise<void> {
  for (const button of buttons) button.disabled = true
  outcome.replaceChildren(busy(words))
  try {
    outcome.textContent = await work()
  } catch (error) {
    outcome.textContent = error instanceof Error ? error.message : String(error)
  }
  for (const button of buttons) button.disabled = false
}

function select(id: string, choices: readonly { value: string; label: string }[]): HTMLSelectElement {
  return h(
    'select',
    { id },
    choices.map(({ value, label }) => h('option', { value }, [label])),
  )
}

function field(label: string, input: HTMLElement): HTMLElement {
  return h('div', { class: 'field' }, [h('label', { for: input.id }, [label]), input])
}
