/** Sequence diagram with a lane for each party, and the same content as a list. */
import { type Arrow, type Lane, LANES } from '../exchange/sequence-arrows'
import { h, svg } from '../ui/create-element'

const LANE_GAP = 178
const FIRST_LANE = 64
const WIDTH = FIRST_LANE * 2 + (LANES.length - 1) * LANE_GAP
const ROW = 34
const HEAD = 46
/** Width of one character of an arrow's text. */
const CHARACTER = 6.7
/** Width of the loop that a lane's arrow to itself draws. */
const LOOP = 26

export interface DiagramOptions {
  isListOpen: boolean
  /** Called with the exchange of the selected arrow. */
  onSelect: (id: number) => void
}

const laneX = (lane: Lane): number => FIRST_LANE + LANES.indexOf(lane) * LANE_GAP

export function sequenceDiagram(arrows: readonly Arrow[], options: DiagramOptions): HTMLElement {
  return h('div', { class: 'sequence' }, [
    h('div', { class: 'sequence-drawing', role: 'region', 'aria-label': 'Drawing', tabindex: 0 }, [drawing(arrows, options)]),
    h('details', { open: options.isListOpen }, [h('summary', {}, ['The same as a list']), list(arrows, options)]),
  ])
}

function drawing(arrows: readonly Arrow[], options: DiagramOptions): SVGElement {
  const height = HEAD + arrows.length * ROW + 12
  const lanes = LANES.flatMap((lane) => [
    label(lane, { x: laneX(lane), y: 20, name: 'lane-name' }),
    svg('line', { class: 'lane', x1: laneX(lane), x2: laneX(lane), y1: 30, y2: height }),
  ])
  const rows = arrows.map((arrow, index) => arrowRow(arrow, HEAD + index * ROW, options))
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': 'Sequence diagram; the list below says the same' }, [
    ...lanes,
    ...rows,
  ])
}

/** Shapes of one arrow. The pointer alone selects it here; the list has a button for it. */
function arrowRow(arrow: Arrow, y: number, { onSelect }: DiagramOptions): SVGElement {
  const { id, isFailed } = arrow
  const left = Math.min(laneX(arrow.from), laneX(arrow.to))
  const width = Math.max(LANE_GAP, Math.abs(laneX(arrow.to) - laneX(arrow.from)))
  const area = svg('rect', { class: 'arrow-area', x: left, y: y - 6, width, height: ROW - 4, rx: 6 })
  const shapes = arrow.from === arrow.to ? loopShapes(arrow, y) : arrowShapes(arrow, y)
  const names = ['arrow-row', isFailed === true && 'arrow-failed', id !== undefined && 'arrow-link'].filter(Boolean).join(' ')
  return svg('g', { class: names, ...(id !== undefined && { 'data-id': id, onclick: () => onSelect(id) }) }, [area, ...shapes])
}

function arrowShapes({ from, to, text, isResponse }: Arrow, y: number): SVGElement[] {
  const [x1, x2] = [laneX(from), laneX(to)]
  const tip = x2 > x1 ? -8 : 8
  return [
    svg('line', { class: isResponse ? 'arrow arrow-response' : 'arrow', x1, x2, y1: y + 14, y2: y + 14 }),
    svg('path', { class: 'arrow-tip', d: `M${x2} ${y + 14}l${tip} -4v8z` }),
    label(text, { x: (x1 + x2) / 2, y: y + 8, name: 'arrow-text', width: Math.abs(x2 - x1) - 12 }),
  ]
}

function loopShapes({ from, text }: Arrow, y: number): SVGElement[] {
  const x = laneX(from)
  return [
    svg('path', { class: 'arrow arrow-loop', d: `M${x} ${y + 4}h${LOOP}v12h-${LOOP - 6}` }),
    svg('path', { class: 'arrow-tip', d: `M${x} ${y + 16}l8 -4v8z` }),
    label(text, { x: x + LOOP + 6, y: y + 14, name: 'arrow-text arrow-text-start', width: LANE_GAP * 2 }),
  ]
}

interface LabelPlace {
  x: number
  y: number
  name: string
  /** Space for the text; longer text is cut. */
  width?: number
}

function label(words: string, { x, y, name, width = LANE_GAP }: LabelPlace): SVGElement {
  const element = svg('text', { class: name, x, y })
  const length = Math.floor(width / CHARACTER)
  element.textContent = words.length > length ? `${words.slice(0, length - 1)}…` : words
  return element
}

function list(arrows: readonly Arrow[], { onSelect }: DiagramOptions): HTMLElement {
  return h(
    'ol',
    { class: 'sequence-list' },
    arrows.map((arrow) => listItem(arrow, onSelect)),
  )
}

function listItem({ from, to, text, id, isFailed }: Arrow, onSelect: DiagramOptions['onSelect']): HTMLElement {
  const words = from === to ? from : `${from} → ${to}`
  return h('li', {}, [
    h('strong', {}, [words]),
    isFailed === true && h('span', { class: 'visually-hidden' }, [' failed:']),
    ` ${text} `,
    id !== undefined &&
      h('button', { type: 'button', class: 'quiet', 'aria-label': `Details of: ${words}, ${text}`, onclick: () => onSelect(id) }, [
        'Details',
      ]),
  ])
}
