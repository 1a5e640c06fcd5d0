/** A live meter of every limit in use, and buttons that put it to work. */
import type { DemoContext, Mount } from '../context'
import { type Gauge, TICK } from '../game/meter'
import { isScreen } from '../screens'
import { bucketPlot } from '../ui/bucket-plot'
import { h } from '../ui/dom'
import { panel } from '../ui/panel'
import { playerName } from '../ui/player'
import { duration } from '../ui/time'

const BURST = 120
/** One more than a player may join in 60 seconds (S:369). */
const JOINS = 11

const WORDS: Partial<Record<string, string>> = {
  global: 'All requests',
  join_lobby: 'Joins',
  send_message: 'Messages',
  get_messages: 'Looks for messages',
}

export const mountLimits: Mount = (element, context) => {
  const { meter } = context.workbench
  const { body } = panel(element, 'Limits', [
    'Every limit in use: a call that meets one waits its turn, or says at once how long it would have to. The plots are the last minute.',
  ])
  const empty = h('p', { class: 'empty' }, ['No limited call has been made yet. Join a lobby, and its limits appear here.'])
  const gauges = h('ul', { class: 'gauges' })
  const cards = new Map<string, Card>()
  body.append(limitButtons(context), empty, gauges)
  meter.gauges.watch((all) => {
    empty.hidden = all.length > 0
    for (const gauge of all) {
      const card = cards.get(gauge.id) ?? gaugeCard()
      if (!cards.has(gauge.id)) gauges.append(card.element)
      cards.set(gauge.id, card)
      card.show(gauge, context)
    }
  })
  setInterval(() => {
    if (!document.hidden && isScreen('lobby')) meter.tick()
  }, TICK)
}

interface Card {
  element: HTMLElement
  show: (gauge: Gauge, context: DemoContext) => void
}

function gaugeCard(): Card {
  const plot = bucketPlot()
  const title = h('h3')
  const use = h('p', { class: 'gauge-use' })
  const facts = h('p', { class: 'hint gauge-facts' })
  const element = h('li', { class: 'gauge' }, [h('div', { class: 'gauge-head' }, [title, use]), plot.element, facts])
  return {
    element,
    show(gauge, context) {
      const { use: now, samples } = gauge
      element.dataset['bucket'] = gauge.id
      title.textContent = titleOf(gauge, context)
      use.textContent = `${(now.limit - now.free).toLocaleString('en')} of ${now.limit.toLocaleString('en')} in ${duration(now.per)}`
      element.classList.toggle('gauge-full', now.free <= 0)
      plot.draw(samples, now.limit)
      facts.textContent = factsOf(gauge).join(' · ')
    },
  }
}

function titleOf({ use: { bucket }, seat }: Gauge, { workbench }: DemoContext): string {
  const words = WORDS[bucket] ?? bucket
  const session = seat === undefined ? undefined : workbench.seats[seat]?.session.value
  return session ? `${words}, ${playerName({ ...session, held: true })}` : words
}

function factsOf({ use: { waiting, free, nextAt }, answered429, refusedHere }: Gauge): string[] {
  const next = nextAt === null ? undefined : Math.max(0, nextAt - Date.now())
  return [
    free > 0 ? 'free' : `next slot ${next === undefined ? 'with an answer' : `in ${(next / 1000).toFixed(1)} s`}`,
    `${waiting} waiting`,
    `429: ${answered429}`,
    `refused here: ${refusedHere}`,
  ]
}

function limitButtons({ workbench: { seats, secret }, stage, service }: DemoContext): HTMLElement {
  const outcome = h('p', { class: 'outcome', role: 'status' })
  const [left] = seats
  const burst = async () => {
    outcome.textContent = `Sending ${BURST} messages at once …`
    outcome.textContent = await left.burst(BURST)
  }
  const refuse = async () => {
    await stage()?.perform('refuse')
    outcome.textContent = 'The emulator refuses the next two messages for 3 seconds each. Send one, and see it wait.'
  }
  const button = (label: string, act: () => Promise<void>) =>
    h('button', { type: 'button', class: 'secondary needs-lobby', onclick: () => void act() }, [label])
  const all = [button(`Send ${BURST} messages`, burst), button(`Join ${JOINS} times`, () => left.joinAgain(secret.value, JOINS))]
  const refusal = button('Make the service refuse', refuse)
  service.watch(() => (refusal.hidden = !stage()))
  left.lobby.watch((lobby) => {
    for (const one of [...all, refusal]) one.disabled = lobby === null
  })
  return h('div', { class: 'experiments' }, [
    h('p', { class: 'hint' }, ['The left seat does it, once it is in a lobby.']),
    h('div', { class: 'buttons' }, [...all, refusal]),
    outcome,
  ])
}
