/** Differences of a run to another one. */
import { useState } from 'preact/hooks'
import { SelectField } from 'kit/select-field'
import { useDemo } from '../../context/use-demo'
import { outcome, title, type Exchange, type Field } from '../../exchanges/exchange'
import { messagesOf } from '../../game/run-rows'
import { passedChecks, type Run } from '../../game/runs'
import { runWords } from '../../ui/run-bar'

export function RunComparison({ run }: { run: Run }) {
  const { runs, exchanges } = useDemo()
  const others = runs.all.value.filter(({ id }) => id !== run.id)
  const [chosen, setChosen] = useState<number>()
  const other =
    others.find(({ id }) => id === chosen) ?? others.findLast(({ id }) => id < run.id) ?? others[0]
  if (!other)
    return <p class="empty">There is one run so far. Sign in again, and the differences appear here.</p>
  const sideOf = (one: Run) => ({
    run: one,
    exchanges: messagesOf(one, exchanges.list.value),
  })
  const choices = others.map((one) => ({ value: String(one.id), label: `Run ${one.id}, ${runWords(one)}` }))
  return (
    <div class="run-comparison">
      <SelectField
        id="compared-run"
        label="Compared with"
        choices={choices}
        value={String(other.id)}
        onChange={(id) => setChosen(Number(id))}
      />
      <Differences before={other} after={run} rows={compareRuns(sideOf(other), sideOf(run))} />
    </div>
  )
}

interface Props {
  before: Run
  after: Run
  rows: readonly Difference[]
}

function Differences({ before, after, rows }: Props) {
  if (rows.length === 0) return <p class="empty">Both runs are equal, but for random values and secrets.</p>
  return (
    <table class="compared differences">
      <caption class="visually-hidden">{`Differences of run ${before.id} and run ${after.id}`}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{`Run ${before.id}`}</th>
          <th scope="col">{`Run ${after.id}`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.group} ${row.name}`}>
            <th scope="row">
              <span class="hint">{row.group}</span> {row.name}
            </th>
            <td data-party={`Run ${before.id}`}>{row.before === '' ? <>—</> : <code>{row.before}</code>}</td>
            <td data-party={`Run ${after.id}`}>{row.after === '' ? <>—</> : <code>{row.after}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export interface Difference {
  readonly group: 'Run' | 'Parameters' | 'Claims' | 'Responses' | 'Durations'
  readonly name: string
  /** Empty if it is missing. */
  readonly before: string
  readonly after: string
}

interface Side {
  readonly run: Run
  /** Those of the run. */
  readonly exchanges: readonly Exchange[]
}

type Values = Readonly<Record<string, string>>

/** They differ between any two runs. */
const RANDOM = new Set(['state', 'nonce', 'code_challenge'])

function compareRuns(before: Side, after: Side): readonly Difference[] {
  const groups = {
    Run: runValues,
    Parameters: parameters,
    Claims: claims,
    Responses: responses,
    Durations: durations,
  } as const
  const names = ['Run', 'Parameters', 'Claims', 'Responses', 'Durations'] as const
  return names.flatMap((group) => differences(group, groups[group](before), groups[group](after)))
}

function differences(group: Difference['group'], before: Values, after: Values): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const rows = Array.from(names, (name) => ({
    group,
    name,
    before: before[name] ?? '',
    after: after[name] ?? '',
  }))
  return rows.filter((row) => row.before !== row.after)
}

function runValues(side: Side): Values {
  const { outcome: result, player = '', mode } = side.run
  return {
    outcome: result,
    issuer: side.run.claims['iss'] ?? '',
    player,
    window: mode,
    'lifetime of the ID token': lifetime(side.run),
    'checks passed': String(passedChecks(side.run)),
  }
}

/** Of the authorize page and of the token request, without those that are random or secret. */
function parameters({ exchanges, run }: Side): Values {
  const changed = new Set(run.changes.map(({ name }) => name))
  const asked = exchanges.findLast(({ kind }) => kind === 'authorize')?.query ?? []
  const sent = exchanges.find(isTokenRequest)?.body ?? []
  const isStable = ({ name, isSecret }: Field) => !isSecret && (!RANDOM.has(name) || changed.has(name))
  return Object.fromEntries([...sent, ...asked].filter(isStable).map(({ name, value }) => [name, value]))
}

function responses({ exchanges }: Side): Values {
  return Object.fromEntries(numbered(exchanges).map(([name, exchange]) => [name, outcome(exchange)]))
}

function durations({ exchanges }: Side): Values {
  const timed = numbered(exchanges).filter(([, { duration = 0 }]) => duration > 0)
  return Object.fromEntries(timed.map(([name, { duration }]) => [name, `${duration} ms`]))
}

/** A request that is sent again later has a number, so that it is not taken for the first one. */
function numbered(exchanges: readonly Exchange[]): readonly (readonly [name: string, exchange: Exchange])[] {
  const counts = new Map<string, number>()
  return exchanges.map((exchange) => {
    const name = title(exchange)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [count === 1 ? name : `${name}, no. ${count}`, exchange]
  })
}

/** Without the issuer and the lifetime, which are named first of all, and without moments, which differ between any two runs. */
function claims({ run }: Side): Values {
  const { iss: _, exp: __, iat: ___, nbf: ____, auth_time: _____, ...others } = run.claims
  return others
}

function lifetime({ claims: { exp, iat } }: Run): string {
  const seconds = Number(exp) - Number(iat)
  return Number.isFinite(seconds) ? `${seconds} s` : ''
}

const isTokenRequest = ({ kind, url, sender }: Exchange) =>
  kind === 'request' && sender === undefined && url.endsWith('/token')
