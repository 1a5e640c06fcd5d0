/** Run of a sign-in: which one, its outcome, and its steps, its diagram, its messages, or its differences to another run. */
import { useState } from 'preact/hooks'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import type { Exchange } from '../../exchanges/exchange'
import { describeChanges } from '../../game/request-changes'
import { messagesOf, rowOfMessage, rowsOf, shownRow } from '../../game/run-rows'
import { passedChecks, stepsText, type Run } from '../../game/runs'
import { RawMessage } from '../../ui/raw-message'
import { RunBar } from '../../ui/run-bar'
import { SequenceView } from '../../ui/sequence-view'
import { RunComparison } from './run-comparison'
import { RunFiles } from './run-files'
import { RunSteps } from './run-steps'

const VIEWS = ['Steps', 'Sequence', 'Raw', 'Compare'] as const
type View = (typeof VIEWS)[number]

export function RunPanel() {
  const { runs } = useDemo()
  const [view, setView] = useState<View>('Steps')
  const run = runs.shown
  const copy = run && view === 'Steps' && <CopyButton what="the steps" text={() => stepsText(run)} />
  return (
    <Panel
      id="steps"
      title={run ? `Run ${run.id}${run.opened ? ` of ${run.opened.file}` : ''}` : 'Run'}
      tools={[run && <RunSummary run={run} key="summary" />, <RunBar key="bar" />]}
    >
      <div class="view-head">
        <ViewTabs view={view} choose={setView} hidden={!run} />
        {copy}
        <RunFiles run={run} />
      </div>
      <div
        role="tabpanel"
        id="run-view"
        aria-labelledby={`run-${view}`}
        hidden={!run}
        tabindex={-1}
        data-room
        // Another view begins at its top.
        key={`${view} ${run?.id}`}
      >
        {run && <RunView view={view} open={() => setView('Steps')} />}
      </div>
      {!run && (
        <p class="empty">
          No run yet. Sign in, and every step appears here with its checks. A saved run can be dropped here.
        </p>
      )}
    </Panel>
  )
}

interface ViewProps {
  view: View
  /** Shows the steps. */
  open: () => void
}

function RunView({ view, open }: ViewProps) {
  const { runs, exchanges } = useDemo()
  const run = runs.shown
  if (!run) return null
  const own = messagesOf(run, exchanges.list.value)
  const rows = rowsOf(run, own)
  if (view === 'Steps') return <RunSteps rows={rows} shown={shownRow(rows, run, runs.chosenRow.value)} />
  if (view === 'Raw') return <RunRaw own={own} />
  if (view === 'Compare') return <RunComparison run={run} />
  const select = (id: number) => {
    runs.chosenRow.value = rowOfMessage(rows, id)?.key
    open()
  }
  return <RunSequence run={run} select={select} />
}

interface TabsProps {
  view: View
  choose: (view: View) => void
  hidden: boolean
}

/** The arrow keys move between the tabs, as usual for such a list. */
function ViewTabs({ view, choose, hidden }: TabsProps) {
  const move = ({ key, currentTarget }: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined || !(currentTarget instanceof HTMLElement)) return
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length] ?? view
    choose(next)
    currentTarget.querySelector<HTMLElement>(`#run-${next}`)?.focus()
  }
  return (
    <div class="view-tabs" role="tablist" aria-label="Views of the run" hidden={hidden} onKeyDown={move}>
      {VIEWS.map((one) => (
        <button
          type="button"
          role="tab"
          id={`run-${one}`}
          key={one}
          aria-selected={one === view}
          aria-controls="run-view"
          tabindex={one === view ? 0 : -1}
          onClick={() => choose(one)}
        >
          {one}
        </button>
      ))}
    </div>
  )
}

/** Line with the outcome of a run: player, duration, number of checks, and what the tester changed. */
function RunSummary({ run }: { run: Run }) {
  const { outcome, isFailed, player, changes, startedAt, endedAt } = run
  const checks = passedChecks(run)
  return (
    <p class={`run-summary ${isFailed ? 'run-failed' : endedAt === undefined ? 'run-waiting' : 'run-done'}`}>
      <span class="run-outcome">
        <Icon name={isFailed ? 'cross' : endedAt === undefined ? 'clock' : 'check'} />{' '}
        {player ? <strong>{player}</strong> : null} {outcome}
      </span>
      {endedAt !== undefined && <span class="ms">{`${((endedAt - startedAt) / 1000).toFixed(1)} s`}</span>}
      <span>
        {`${checks} ${checks === 1 ? 'check' : 'checks'}`}
        <span class="word"> passed</span>
      </span>
      {changes.length > 0 && (
        <span class="run-changes">
          changed: <code>{describeChanges(changes)}</code>
        </span>
      )}
    </p>
  )
}

/** Messages of the run as text, each request with its response. */
function RunRaw({ own }: { own: readonly Exchange[] }) {
  if (own.length === 0) return <p class="empty">Nothing was sent in this run.</p>
  return (
    <div class="raw-list">
      {own.map((exchange) => (
        <RawMessage exchange={exchange} key={exchange.id} />
      ))}
    </div>
  )
}

/** @param props.select shows the message of an arrow. */
function RunSequence({ run, select }: { run: Run; select: (id: number) => void }) {
  const { exchanges } = useDemo()
  const calls = run.opened?.calls ?? exchanges.calls.value.filter((call) => call.run === run.id)
  return (
    <SequenceView
      messages={messagesOf(run, exchanges.list.value)}
      calls={calls}
      what={`the diagram of run ${run.id} as Mermaid`}
      empty="Nothing was sent in this run."
      select={select}
    />
  )
}
