/** Panel of the inspector for the clock: moves it by a preset or any amount, sets it apart from the machine's, and freezes it. */
import { useState } from 'preact/hooks'
import {
  advanceBy,
  DIRECTIONS,
  freeze,
  largestAmount,
  offsetWords,
  PRESETS,
  readClockOrder,
  skewTo,
  SKEWS,
  UNITS,
  type ClockOrder,
  type Direction,
  type Unit,
} from './clock-steps.js'
import type { Act } from './control/inspector-data.js'
import { Panel } from '../kit/panel.js'

interface Props {
  now: number
  frozen: boolean
  act: Act
}

export function Clock({ now, frozen, act }: Props) {
  const change = (order: ClockOrder) => act('clock', order.change, order.done)
  return (
    <Panel title="Clock">
      <p>
        <time datetime={new Date(now).toISOString()}>{new Date(now).toLocaleString('en-GB')}</time>{' '}
        {frozen && <span class="tag">frozen</span>} <span class="quiet">{offsetWords(now - Date.now())}</span>
      </p>
      <div class="buttons">
        {PRESETS.map((step) => (
          <button type="button" key={step.label} onClick={() => void change(advanceBy(step))}>
            + {step.label} {step.effect !== undefined && <span class="quiet">{step.effect}</span>}
          </button>
        ))}
        <button type="button" aria-pressed={frozen} onClick={() => void change(freeze({ frozen: !frozen }))}>
          Freeze
        </button>
      </div>
      <h3 id="clock-skew">A service whose time is wrong</h3>
      <div class="buttons" role="group" aria-labelledby="clock-skew">
        {SKEWS.map(({ label, skew }) => (
          <button type="button" key={label} onClick={() => void change(skewTo(skew))}>
            {label}
          </button>
        ))}
      </div>
      <AnyAmount change={change} />
    </Panel>
  )
}

function AnyAmount({ change }: { change: (order: ClockOrder) => Promise<boolean> }) {
  const [amount, setAmount] = useState('90')
  const [unit, setUnit] = useState<Unit>('minutes')
  const [direction, setDirection] = useState<Direction>('forward')
  const submit = (event: Event) => {
    event.preventDefault()
    const order = readClockOrder(amount, unit, direction)
    if (order !== undefined) void change(order)
  }
  return (
    <form class="one-line" onSubmit={submit}>
      <label class="short">
        Amount
        <input
          type="number"
          required
          min="0.001"
          max={largestAmount(unit)}
          step="any"
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
      </label>
      <label class="short">
        Unit
        <select
          value={unit}
          onChange={({ currentTarget }) =>
            setUnit(isUnit(currentTarget.value) ? currentTarget.value : 'minutes')
          }
        >
          {Object.keys(UNITS).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Direction
        <select
          value={direction}
          onChange={({ currentTarget }) => setDirection(directionOf(currentTarget.value))}
        >
          {Object.entries(DIRECTIONS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button>Move the clock</button>
      <p class="quiet">Ahead and behind are measured from the time of this machine.</p>
    </form>
  )
}

function isUnit(name: string): name is Unit {
  return Object.hasOwn(UNITS, name)
}

function directionOf(name: string): Direction {
  return name === 'ahead' || name === 'behind' ? name : 'forward'
}
