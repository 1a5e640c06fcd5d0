/** Panel of the inspector for faults: the rules that are set, presets, and a rule of one's own. */
import { useState } from 'preact/hooks'
import { read } from './control/inspector-api.js'
import type { Act, SetFault } from './control/inspector-data.js'
import {
  EFFECT_CHOICES,
  effectWords,
  FAULT_PRESETS,
  isSet,
  matchWords,
  METHODS,
  ruleOf,
  SITUATIONS,
  toggle,
  without,
  type EffectName,
  type FaultFields,
  type FaultPreset,
} from './fault-rules.js'
import { Panel } from '../kit/panel.js'

/** Changes the rules, and shows `done` when it succeeded. */
type Change = (edit: (rules: SetFault[]) => object[], done: string) => Promise<boolean>

export function Faults({ faults, act }: { faults: SetFault[]; act: Act }) {
  const change: Change = async (edit, done) => {
    // Requests may have used up rules since they were shown. Without an answer the change fails too, and says so.
    const rules = await read<SetFault[]>('faults').catch(() => faults)
    return act('faults', { rules: edit(rules) }, done)
  }
  return (
    <Panel title="Faults">
      <Rules faults={faults} change={change} />
      <Presets title="One fault" presets={FAULT_PRESETS} faults={faults} change={change} />
      <Presets title="Situations" presets={SITUATIONS} faults={faults} change={change} />
      <RuleForm change={change} />
    </Panel>
  )
}

interface PresetsProps {
  title: string
  presets: readonly FaultPreset[]
  faults: SetFault[]
  change: Change
}

/** Switches: on while a rule of the preset is left. */
function Presets({ title, presets, faults, change }: PresetsProps) {
  const id = `presets-${title.toLowerCase().replace(' ', '-')}`
  return (
    <>
      <h3 id={id}>{title}</h3>
      <div class="buttons" role="group" aria-labelledby={id}>
        {presets.map((preset) => (
          <button
            type="button"
            key={preset.label}
            aria-pressed={isSet(faults, preset)}
            onClick={() =>
              void change(
                (rules) => toggle(rules, preset),
                `${isSet(faults, preset) ? 'Removed' : 'Set'}: ${preset.label}.`,
              )
            }
          >
            {preset.label}
          </button>
        ))}
      </div>
    </>
  )
}

function Rules({ faults, change }: { faults: SetFault[]; change: Change }) {
  if (faults.length === 0) return <p class="empty">No fault is set.</p>
  const removeAll = () => void change(() => [], 'All faults were removed.')
  return (
    <>
      <ul>
        {faults.map((rule, index) => {
          const words = `${matchWords(rule)}: ${effectWords(rule.effect)}`
          return (
            <li key={`${words} ${index}`} class="entry">
              <span>
                <code>{matchWords(rule)}</code> {effectWords(rule.effect)},{' '}
                <span class="quiet">
                  {rule.times === 1 ? 'the next request' : `${rule.times} more requests`}
                </span>
              </span>
              <button
                type="button"
                aria-label={`Delete the rule ${words}`}
                onClick={() => void change((rules) => without(rules, rule), `Deleted: ${words}.`)}
              >
                Delete
              </button>
            </li>
          )
        })}
      </ul>
      <button type="button" onClick={removeAll}>
        Remove all
      </button>
    </>
  )
}

const START: FaultFields = { method: METHODS[0], path: '/api/*', effect: 'status', value: '503', times: '1' }

/** Value that each effect begins with; the others have none. */
const VALUES: Partial<Record<EffectName, { label: string; value: string; min: number; max: number }>> = {
  status: { label: 'Status', value: '503', min: 200, max: 599 },
  delay: { label: 'Milliseconds', value: '5000', min: 0, max: 600_000 },
}

function RuleForm({ change }: { change: Change }) {
  const [fields, setFields] = useState(START)
  const set = (next: Partial<FaultFields>) => setFields((shown) => ({ ...shown, ...next }))
  const value = VALUES[fields.effect]
  const submit = (event: Event) => {
    event.preventDefault()
    const rule = ruleOf(fields)
    void change(
      (rules) => [...rules, rule],
      `Set: ${matchWords({ match: rule.match ?? {} })} ${effectWords(rule.effect)}.`,
    )
  }
  return (
    <form class="one-line rule" aria-labelledby="own-rule" onSubmit={submit}>
      <h3 id="own-rule">A rule of your own</h3>
      <label>
        Method
        <select value={fields.method} onChange={({ currentTarget }) => set({ method: currentTarget.value })}>
          {METHODS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Path, * matches anything
        <input
          value={fields.path}
          required
          pattern="[\/*].*"
          title="It begins with / or *"
          spellcheck={false}
          onInput={({ currentTarget }) => set({ path: currentTarget.value })}
        />
      </label>
      <label>
        Effect
        <select
          value={fields.effect}
          onChange={({ currentTarget }) => set(effectChoice(currentTarget.value))}
        >
          {Object.entries(EFFECT_CHOICES).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {value !== undefined && (
        <NumberField
          label={value.label}
          value={fields.value}
          min={value.min}
          max={value.max}
          change={(text) => set({ value: text })}
        />
      )}
      <NumberField
        label="Requests"
        value={fields.times}
        min={1}
        max={1_000_000}
        change={(times) => set({ times })}
      />
      <button>Add the rule</button>
    </form>
  )
}

function effectChoice(name: string): Partial<FaultFields> {
  const effect: EffectName = name === 'delay' || name === 'drop' || name === 'lostAnswer' ? name : 'status'
  return { effect, value: VALUES[effect]?.value ?? '0' }
}

interface NumberProps {
  label: string
  value: string
  min: number
  max: number
  change: (text: string) => void
}

function NumberField({ label, value, min, max, change }: NumberProps) {
  return (
    <label class="short">
      {label}
      <input
        type="number"
        required
        value={value}
        min={min}
        max={max}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  )
}
