/** Live meter of every limit in use, and buttons that load the limits. */
import type { DemoContext, Mount } from '../panel-context'
import { explain } from '../game/error-advice'
import { type Gauge, nextSlot, SAMPLE_INTERVAL } from '../limits/rate-limit-samples'
import { isScreen } from '../switch-screens'
import { bucketPlot } from '../ui/bucket-plot'
import { h } from '../ui/create-element'
import { panel } from '../ui/panel'
import { playerName } from '../ui/player-name-and-avatar'
import { duration } from '../ui/format-time'

const BURST = 80
/** One more than a player may join in 60 seconds (docs/interface/rate-limits.md#limits). */
const JOINS = 11

const WORDS: Partial<Record<string, string>> = {
  global: 'All requests',
  join_lobby: 'Joins',
  send_message: 'Messages',
  get_messages: 'Message requests',
}

export const mountLimits: Mount = (element, context) => {
  const { meter } = context.workbench
  const { body } = panel(element, 'Limits', [
    'Every rate limit in use. A call that exceeds one waits, or is rejected at once with the time to wait. Each plot shows the last minute: the area is usage, the dashed line is waiting calls.',
  ])
  const empty = h('p', { class: 'empty' }, ['No limited call has been made yet. Join a lobby, and its limits appear here.'])
  const gauges = h('ul', { class: 'gauges' })
  const cards = new Map<string, Card>()
  body.append(limitButtons(context), empty, gauges)
  meter.gauges.subscribe((all) => {
    empty.hidden = all.length > 0
    for (const gauge of all) {
      const isNew = !cards.has(gauge.id)
      const card = cards.get(gauge.id) ?? gaugeCard()
      cards.set(gauge.id, card)
      card.show(gauge, context)
      if (isNew) gauges.replaceChildren(...inOrder(cards))
    }
  })
  setInterval(() => {
    if (!document.hidden && isScreen('lobby')) meter.tick()
  }, SAMPLE_INTERVAL)
}

/** Sorts the cards by player. */
function inOrder(cards: ReadonlyMap<string, Card>): HTMLElement[] {
  return [...cards].sort(([a], [b]) => placeOf(a).localeCompare(placeOf(b))).map(([, { element }]) => element)
}

function placeOf(id: string): string {
  return `${id.at(-1)} ${id}`
}

interface Card {
  element: HTMLElement
  show: (gauge: Gauge, context: DemoContext) => void
}

function gaugeCard(): Card {
  const plot = bucketPlot()
  const title = h('h3')
  const use = h('p', { class: 'gauge-use' })
  const facts = h('dl', { class: 'gauge-facts' })
  const element = h('li', { class: 'gauge' }, [h('div', { class: 'gauge-head' }, [title, use]), plot.element, facts])
  return {
    element,
    show(gauge, context) {
      const { use: now, samples } = gauge
      element.dataset['bucket'] = gauge.id
      title.textContent = titleOf(gauge, context)
      use.textContent = `${(now.limit - now.free).toLocaleString('en')} of ${now.limit.toLocaleString('en')} in ${windowWords(now.per)}`
      element.classList.toggle('gauge-full', now.free <= 0)
      plot.draw(samples, now.limit)
      showFacts(facts, gauge, context.clock.now())
    },
  }
}

/** Formats a duration as `2 h`, not `2 h 0 min`. */
function windowWords(per: number): string {
  return duration(per).replace(/ 0 \w+$/, '')
}

function titleOf({ use: { bucket }, slot }: Gauge, { workbench }: DemoContext): string {
  const words = WORDS[bucket] ?? bucket
  const session = workbench.slots[slot]?.session.value
  return session ? `${words}, ${playerName({ ...session, held: true })}` : words
}

/** Shows four numbers. Writes only those that changed, so that a screen reader keeps its position. */
function showFacts(list: HTMLElement, { use, answered429, refusedHere }: Gauge, now: number): void {
  const facts = [
    ['Next slot', nextSlot(use, now)],
    ['Waiting', use.waiting],
    ['429', answered429],
    ['Refused here', refusedHere],
  ] as const
  if (!list.hasChildNodes()) list.append(...facts.map(([name]) => h('div', {}, [h('dt', {}, [name]), h('dd')])))
  for (const [index, place] of list.querySelectorAll('dd').entries()) place.textContent = String(facts[index]?.[1])
}

function button(label: string, act: () => Promise<void>): HTMLButtonElement {
  return h('button', { type: 'button', class: 'secondary', onclick: () => void act() }, [label])
}

function limitButtons({ workbench: { slots, secret }, faultControls, service }: DemoContext): HTMLElement {
  const outcome = h('p', { class: 'outcome', role: 'status' })
  const [left] = slots
  const burst = async () => {
    outcome.textContent = `Sending ${BURST} messages at once …`
    outcome.textContent = await left.sendMany(BURST)
  }
  const refuse = async () => {
    outcome.textContent = await (faultControls()?.perform('refuse') ?? Promise.resolve()).then(
      () => 'The emulator refuses the next message for 3 seconds. Send one, and see it wait and arrive.',
      (error: unknown) => explain(error).advice,
    )
  }
  const all = [button(`Send ${BURST} messages`, burst), button(`Join ${JOINS} times`, () => left.joinRepeatedly(secret.value, JOINS))]
  const refusal = button('Make the service refuse', refuse)
  service.subscribe(() => (refusal.hidden = !faultControls()))
  left.lobby.subscribe((lobby) => {
    for (const one of [...all, refusal]) one.disabled = lobby === null
  })
  return h('div', { class: 'experiments' }, [
    h('p', { class: 'hint' }, ['The first player sends the calls, after joining a lobby.']),
    h('div', { class: 'buttons' }, [...all, refusal]),
    outcome,
  ])
}
