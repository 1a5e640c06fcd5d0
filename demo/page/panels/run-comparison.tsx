/** Differences of a run to another one. */
import { useState } from 'preact/hooks'
import { compareRuns, type Difference } from '../game/compare-runs'
import type { Run } from '../game/runs'
import { SelectField } from 'kit/select-field'
import { useDemo } from '../context/use-demo'
import { runWords } from './run-bar'

export function RunComparison({ run }: { run: Run }) {
  const { runs, exchanges } = useDemo()
  const others = runs.all.value.filter(({ id }) => id !== run.id)
  const [chosen, setChosen] = useState<number>()
  const other = others.find(({ id }) => id === chosen) ?? others.findLast(({ id }) => id < run.id) ?? others[0]
  if (!other) return <p class="empty">There is one run so far. Sign in again, and the differences appear here.</p>
  const sideOf = (one: Run) => ({ run: one, exchanges: exchanges.list.value.filter((exchange) => exchange.run === one.id) })
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
