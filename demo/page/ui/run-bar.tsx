/** Choice of the run that is shown, by its number. */
import type { Run } from '../game/runs'
import { useDemo } from '../context/use-demo'

/** Numbers that fit into one line. */
const SHOWN = 5

export function RunBar() {
  const { runs } = useDemo()
  const all = runs.all.value
  const shown = runs.shown
  if (!shown || all.length < 2) return null
  const index = all.indexOf(shown)
  const first = Math.max(0, Math.min(index - Math.floor(SHOWN / 2), all.length - SHOWN))
  const step = (by: -1 | 1) => {
    const next = all[index + by]
    if (next) runs.choose(next.id)
  }
  return (
    <div class="run-bar" role="group" aria-label="Runs">
      {/* Not `disabled`: that would lose the keyboard focus. */}
      <button
        type="button"
        class="quiet"
        aria-label="Earlier run"
        aria-disabled={index === 0}
        onClick={() => step(-1)}
      >
        ‹
      </button>
      {all.slice(first, first + SHOWN).map((run) => (
        <button
          type="button"
          class="quiet"
          key={run.id}
          aria-label={`Run ${run.id}, ${runWords(run)}`}
          aria-pressed={run === shown}
          onClick={() => runs.choose(run.id)}
        >
          {run.id}
        </button>
      ))}
      <button
        type="button"
        class="quiet"
        aria-label="Later run"
        aria-disabled={index === all.length - 1}
        onClick={() => step(1)}
      >
        ›
      </button>
    </div>
  )
}

/** Outcome and player in a few words. */
export function runWords({ outcome, player }: Run): string {
  return [outcome, player].filter(Boolean).join(' ')
}
