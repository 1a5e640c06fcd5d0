/** Line of the inspector that always says what differs from a service without faults: clock, faults and lobbies. */
import type { Overview } from './control/inspector-data.js'
import type { InspectorTab } from './inspector-tabs.js'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

interface StripProps {
  overview: Overview
  /** Opens the tab with more about an entry. */
  open: (tab: InspectorTab) => void
}

export function Strip({ overview: { now, frozen, faults, lobbies }, open }: StripProps) {
  const entries: [tab: InspectorTab, words: string][] = [
    ['clock', `clock ${aheadWords(now - Date.now())}${frozen ? ', stopped' : ''}`],
    ['faults', `${count(faults.length, 'fault')} armed`],
    ['lobbies', count(lobbies.length, 'lobby', 'lobbies')],
  ]
  return (
    <ul class="strip" aria-label="State of the emulator">
      {entries.map(([tab, words]) => (
        <li key={tab}>
          <button type="button" class={tab === 'faults' && faults.length > 0 ? 'armed' : ''} onClick={() => open(tab)}>
            {words}
          </button>
        </li>
      ))}
    </ul>
  )
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`

/** A difference of less than 5 s is the time that the answer took. */
function aheadWords(ms: number): string {
  if (Math.abs(ms) < 5000) return 'as this machine'
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? UNITS[3]
  return `${ms < 0 ? '−' : '+'}${Math.round(Math.abs(ms) / size)} ${unit}`
}
