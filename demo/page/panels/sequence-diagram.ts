/** Sequence diagram of the exchanges: lanes for game, browser and service, with the same content as a list. */
import type { Exchange } from '../exchange/http-exchange-fields'
import { type Arrow, toArrows } from '../exchange/export-exchanges'
import { h, svg } from '../ui/create-element'

const LANES = ['Game', 'Browser', 'Service'] as const
const WIDTH = 640
const LANE_GAP = 240
const FIRST_LANE = 80
const ROW = 34
const HEAD = 46

const laneX = (lane: Arrow['from']): number => FIRST_LANE + LANES.indexOf(lane) * LANE_GAP

export function sequenceDiagram(exchanges: readonly Exchange[]): HTMLElement {
  const arrows = toArrows(exchanges)
  return h('div', { class: 'sequence' }, [
    h('div', { class: 'sequence-drawing', role: 'region', 'aria-label': 'Drawing', tabindex: 0 }, [drawing(arrows)]),
    h('details', {}, [h('summary', {}, ['The same as a list']), list(arrows)]),
  ])
}

function drawing(arrows: readonly Arrow[]): SVGElement {
  const height = HEAD + arrows.length * ROW + 12
  const lanes = LANES.flatMap((lane) => [
    label(lane, [laneX(lane), 20], 'lane-name'),
    svg('line', { class: 'lane', x1: laneX(lane), x2: laneX(lane), y1: 30, y2: height }),
  ])
  const rows = arrows.flatMap((arrow, index) => arrowShapes(arrow, HEAD + index * ROW))
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': 'Sequence diagram; the list below says the same' }, [
    ...lanes,
    ...rows,
  ])
}

function arrowShapes({ from, to, text: words, isResponse }: Arrow, y: number): SVGElement[] {
  const [x1, x2] = [laneX(from), laneX(to)]
  const tip = x2 > x1 ? -8 : 8
  return [
    svg('line', { class: isResponse ? 'arrow arrow-response' : 'arrow', x1, x2, y1: y + 14, y2: y + 14 }),
    svg('path', { class: 'arrow-tip', d: `M${x2} ${y + 14}l${tip} -4v8z` }),
    label(words, [(x1 + x2) / 2, y + 8], 'arrow-text'),
  ]
}

function label(words: string, [x, y]: readonly [number, number], name: string): SVGElement {
  const element = svg('text', { class: name, x, y, 'text-anchor': 'middle' })
  element.textContent = words.length > 44 ? `${words.slice(0, 43)}…` : words
  return element
}

function list(arrows: readonly Arrow[]): HTMLElement {
  return h(
    'ol',
    { class: 'sequence-list' },
    arrows.map(({ from, to, text: words }) => h('li', {}, [h('strong', {}, [`${from} → ${to}`]), ` ${words}`])),
  )
}
