/** Line of the inspector that always says what differs from a service without faults: clock, faults and lobbies. */
import type { Overview } from './inspector-data.js'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

export function Strip({ overview: { now, frozen, faults, lobbies } }: { overview: Overview }) {
  return (
    <ul class="strip" aria-label="State of the emulator">
      <li>
        clock {aheadWords(now - Date.now())}
        {frozen ? ', stopped' : ''}
      </li>
      <li class={faults.length === 0 ? '' : 'armed'}>{count(faults.length, 'fault')} armed</li>
      <li>{count(lobbies.length, 'lobby', 'lobbies')}</li>
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
