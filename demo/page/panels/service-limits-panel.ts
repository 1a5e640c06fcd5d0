/** Limits screen: a gauge for every limit of the service, bursts with and without the SDK, and the risk of a block. */
import type { DemoContext, Mount } from '../panel-context'
import { nextSlot, SAMPLE_INTERVAL } from '../limits/rate-limit-samples'
import { describeEdge, type LimitGauge, ServiceLimitsMeter } from '../limits/service-limits'
import { isScreen } from '../switch-screens'
import { bucketPlot } from '../ui/bucket-plot'
import { h } from '../ui/create-element'
import { duration } from '../ui/format-time'
import { panel } from '../ui/panel'
import { burstForm } from './limit-burst-form'

const TITLES: Partial<Record<string, string>> = {
  global: 'All requests',
  create_lobby: 'Lobbies created',
  get_lobby: 'Lobbies read',
  delete_lobby: 'Lobbies deleted',
  add_lobby_member: 'Members added',
  remove_lobby_member: 'Members removed',
  join_lobby: 'Joins of one player',
  send_message: 'Messages of one player',
}

export const mountServiceLimits: Mount = (element, context) => {
  const { workbench, service, faultControls } = context
  const meter = new ServiceLimitsMeter(workbench.slots)
  const { body } = panel(element, 'Every limit of the service', [
    'Each plot shows the last minute: the area is what the emulator has counted, the dashed line is calls that wait in the clients of the game. ',
    'The limits of a player show the one who has used most.',
  ])
  const gauges = h('ul', { class: 'gauges' })
  const counted = h('div', { class: 'counted' }, [burstForm(meter), edgeMeter(meter), gauges])
  const absent = h('p', { class: 'empty' }, [
    'Only the emulator that was started with this page reports its counts. Choose it on the screen Service; the limits of your own calls are on the screen Lobby.',
  ])
  body.append(counted, absent)
  const cards = new Map<string, Card>()
  meter.gauges.subscribe((all) => {
    for (const gauge of all) cardOf(gauge, cards, gauges).show(gauge, context)
  })
  service.subscribe(() => {
    const isAvailable = faultControls() !== undefined
    counted.hidden = !isAvailable
    absent.hidden = isAvailable
  })
  setInterval(() => {
    if (!document.hidden && isScreen('limits') && faultControls()) void meter.read()
  }, SAMPLE_INTERVAL)
}

interface Card {
  show: (gauge: LimitGauge, context: DemoContext) => void
}

function cardOf({ name }: LimitGauge, cards: Map<string, Card>, list: HTMLElement): Card {
  const known = cards.get(name)
  if (known) return known
  const card = createCard(name, list)
  cards.set(name, card)
  return card
}

function createCard(name: string, list: HTMLElement): Card {
  const plot = bucketPlot()
  const use = h('p', { class: 'gauge-use' })
  const facts = [h('dd'), h('dd'), h('dd')] as const
  const element = h('li', { class: 'gauge', 'data-bucket': name }, [
    h('div', { class: 'gauge-head' }, [h('h3', {}, [TITLES[name] ?? name]), use]),
    plot.element,
    h(
      'dl',
      { class: 'gauge-facts' },
      ['Next slot', 'Waiting', '429'].map((title, index) => h('div', {}, [h('dt', {}, [title]), facts[index]])),
    ),
  ])
  list.append(element)
  return {
    show({ used, limit, per, samples, nextAt, waiting, refused }, { clock }) {
      use.textContent = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} in ${duration(per).replace(/ 0 \w+$/, '')}`
      element.classList.toggle('gauge-full', used >= limit)
      plot.draw(samples, limit)
      const words = [nextSlot({ free: limit - used, nextAt }, clock.now()), String(waiting), String(refused)]
      for (const [index, place] of facts.entries()) place.textContent = words[index] ?? ''
    },
  }
}

function edgeMeter(meter: ServiceLimitsMeter): HTMLElement {
  const bar = h('meter', { 'aria-label': 'Refused requests that count towards a block', min: 0 })
  const words = h('p', { class: 'hint' })
  meter.current.subscribe((read) => {
    if (!read) return
    Object.assign(bar, { max: read.edge.limit, value: read.edge.used, low: read.edge.limit / 10, high: read.edge.limit / 2, optimum: 0 })
    const next = describeEdge(read.edge)
    if (words.textContent !== next) words.textContent = next
  })
  return h('div', { class: 'edge-risk' }, [
    h('h3', {}, ['Block of this address']),
    bar,
    words,
    h('p', { class: 'hint' }, ['The service answers 401, 403 and 429 only so often before it blocks an address as a whole.']),
  ])
}
