/** Run of a sign-in: which one, its outcome, and its steps, its diagram, its messages, or its differences to another run. */
import { useState } from 'preact/hooks'
import { stepsText } from '../game/runs'
import { CopyButton } from 'kit/copy-button'
import { Panel } from 'kit/panel'
import { useDemo } from '../context/use-demo'
import { RunBar } from './run-bar'
import { RunComparison } from './run-comparison'
import { RunRaw } from './run-raw'
import { RunSequence } from './run-sequence'
import { RunSteps } from './run-steps'
import { RunSummary } from './run-summary'

const VIEWS = ['Steps', 'Sequence', 'Raw', 'Compare'] as const
type View = (typeof VIEWS)[number]

export function RunPanel() {
  const { runs } = useDemo()
  const [view, setView] = useState<View>('Steps')
  const run = runs.shown
  const copy = run && view === 'Steps' && <CopyButton what="the steps" text={() => stepsText(run)} />
  return (
    <Panel id="steps" title={run ? `Run ${run.id}` : 'Run'} tools={[run && <RunSummary run={run} key="summary" />, <RunBar key="bar" />]}>
      {!run && <p class="empty">No run yet. Sign in, and every step appears here with its checks.</p>}
      <div class="view-head">
        <ViewTabs view={view} choose={setView} hidden={!run} />
        {copy}
      </div>
      <div role="tabpanel" id="run-view" aria-labelledby={`run-${view}`} hidden={!run} tabindex={-1}>
        {run && <RunView view={view} />}
      </div>
    </Panel>
  )
}

function RunView({ view }: { view: View }) {
  const run = useDemo().runs.shown
  if (!run) return null
  if (view === 'Steps') return <RunSteps run={run} />
  if (view === 'Sequence') return <RunSequence run={run} />
  return view === 'Raw' ? <RunRaw run={run} /> : <RunComparison run={run} />
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
