/** Part of the details about the emulator: its rule, advice and fault, and the limits that a request was counted against. */
import type { ComponentChildren } from 'preact'
import type { ListedRequest } from '../control/inspector-data.js'

export function ChecksPart({ request }: { request: ListedRequest }) {
  const { status, ms, at, player, rule, advice, fault, limits = [] } = request
  return (
    <dl>
      <Detail term="Status">{status === 0 ? 'closed before a status' : status}</Detail>
      <Detail term="Time">{new Date(at).toLocaleString('en-GB')}</Detail>
      <Detail term="Duration">{ms.toFixed(1)} ms</Detail>
      {player !== undefined && <Detail term="Player">{player}</Detail>}
      {rule !== undefined && <Detail term="Refused by the rule">{rule}</Detail>}
      {advice !== undefined && <Detail term="Advice">{advice}</Detail>}
      {fault !== undefined && <Detail term="Fault that was applied">{fault}</Detail>}
      {limits.map(({ name, limit, remaining, resetAfter }) => (
        <Detail key={name} term={`Limit ${name}`}>
          {limit - remaining} of {limit} used, free again in {Math.ceil(resetAfter / 1000)} s
        </Detail>
      ))}
    </dl>
  )
}

function Detail({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
