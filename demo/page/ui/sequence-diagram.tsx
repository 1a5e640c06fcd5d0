/** Sequence diagram with a lane for each party, and the same content as a list. */
import { type Arrow, type Lane, LANES } from '../exchanges/to-arrows'

const LANE_GAP = 178
const FIRST_LANE = 64
const WIDTH = FIRST_LANE * 2 + (LANES.length - 1) * LANE_GAP
const ROW = 34
const HEAD = 46
/** Width of one character of an arrow's text. */
const CHARACTER = 6.7
/** Width of the loop that a lane's arrow to itself draws. */
const LOOP = 26

interface Props {
  arrows: readonly Arrow[]
  /** Called with the exchange of the selected arrow. */
  onSelect: (id: number) => void
}

const laneX = (lane: Lane): number => FIRST_LANE + LANES.indexOf(lane) * LANE_GAP

export function SequenceDiagram({ arrows, onSelect }: Props) {
  return (
    <div class="sequence">
      <div class="sequence-drawing" role="region" aria-label="Drawing" tabindex={0}>
        <Drawing arrows={arrows} onSelect={onSelect} />
      </div>
      <details>
        <summary>The same as a list</summary>
        <ol class="sequence-list">
          {arrows.map((arrow, index) => (
            <ListItem arrow={arrow} onSelect={onSelect} key={index} />
          ))}
        </ol>
      </details>
    </div>
  )
}

function Drawing({ arrows, onSelect }: Props) {
  const height = HEAD + arrows.length * ROW + 12
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label="Sequence diagram; the list below says the same"
    >
      {LANES.map((lane) => (
        <g key={lane}>
          <Label words={lane} x={laneX(lane)} y={20} class="lane-name" />
          <line class="lane" x1={laneX(lane)} x2={laneX(lane)} y1={30} y2={height} />
        </g>
      ))}
      {arrows.map((arrow, index) => (
        <ArrowRow arrow={arrow} y={HEAD + index * ROW} onSelect={onSelect} key={index} />
      ))}
    </svg>
  )
}

interface RowProps {
  arrow: Arrow
  y: number
}

/** Shapes of one arrow. The pointer alone selects it here; the list has a button for it. */
function ArrowRow({ arrow, y, onSelect }: RowProps & Pick<Props, 'onSelect'>) {
  const { id, from, to, isFailed } = arrow
  const left = Math.min(laneX(from), laneX(to))
  const width = Math.max(LANE_GAP, Math.abs(laneX(to) - laneX(from)))
  const names = ['arrow-row', isFailed === true && 'arrow-failed', id !== undefined && 'arrow-link']
    .filter(Boolean)
    .join(' ')
  return (
    <g class={names} data-id={id} onClick={() => id !== undefined && onSelect(id)}>
      <rect class="arrow-area" x={left} y={y - 6} width={width} height={ROW - 4} rx={6} />
      {from === to ? <Loop arrow={arrow} y={y} /> : <Line arrow={arrow} y={y} />}
    </g>
  )
}

function Line({ arrow: { from, to, text, isResponse }, y }: RowProps) {
  const [x1, x2] = [laneX(from), laneX(to)]
  const tip = x2 > x1 ? -8 : 8
  return (
    <>
      <line class={isResponse ? 'arrow arrow-response' : 'arrow'} x1={x1} x2={x2} y1={y + 14} y2={y + 14} />
      <path class="arrow-tip" d={`M${x2} ${y + 14}l${tip} -4v8z`} />
      <Label words={text} x={(x1 + x2) / 2} y={y + 8} class="arrow-text" space={Math.abs(x2 - x1) - 12} />
    </>
  )
}

function Loop({ arrow: { from, text }, y }: RowProps) {
  const x = laneX(from)
  return (
    <>
      <path class="arrow arrow-loop" d={`M${x} ${y + 4}h${LOOP}v12h-${LOOP - 6}`} />
      <path class="arrow-tip" d={`M${x} ${y + 16}l8 -4v8z`} />
      <Label
        words={text}
        x={x + LOOP + 6}
        y={y + 14}
        class="arrow-text arrow-text-start"
        space={LANE_GAP * 2}
      />
    </>
  )
}

interface LabelProps {
  words: string
  x: number
  y: number
  class: string
  /** Width for the text; longer text is cut. */
  space?: number
}

function Label({ words, x, y, class: name, space = LANE_GAP }: LabelProps) {
  const length = Math.floor(space / CHARACTER)
  return (
    <text class={name} x={x} y={y}>
      {words.length > length ? `${words.slice(0, length - 1)}…` : words}
    </text>
  )
}

function ListItem({
  arrow: { from, to, text, id, isFailed },
  onSelect,
}: { arrow: Arrow } & Pick<Props, 'onSelect'>) {
  const words = from === to ? from : `${from} → ${to}`
  return (
    <li>
      <strong>{words}</strong>
      {isFailed === true && <span class="visually-hidden"> failed:</span>} {text}{' '}
      {id !== undefined && (
        <button
          type="button"
          class="quiet"
          aria-label={`Details of: ${words}, ${text}`}
          onClick={() => onSelect(id)}
        >
          Details
        </button>
      )}
    </li>
  )
}
