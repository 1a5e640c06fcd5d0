/** Buttons that use a callback twice, and show the outcome. */
import { useState } from 'preact/hooks'
import type { DemoContext } from '../context/demo-context'
import { explain } from '../game/explain'
import { deliverAgain, type ExperimentResult, redeemAgain, stealCode } from '../game/redeem-again'
import type { FinishedSignIn } from '../game/sign-in'
import { useDemo } from '../context/use-demo'

interface Experiment {
  label: string
  run: (answered: FinishedSignIn) => Promise<ExperimentResult>
}

const EXPERIMENTS: readonly Experiment[] = [
  { label: 'Redeem the code again', run: redeemAgain },
  { label: 'Load the callback again', run: deliverAgain },
  { label: 'Steal the code', run: stealCode },
]

export function CallbackReuse() {
  const context = useDemo()
  const [outcome, setOutcome] = useState('')
  const attempt = async (experiment: Experiment) => {
    setOutcome(`${experiment.label} …`)
    setOutcome(await outcomeOf(experiment, context))
  }
  return (
    <section class="experiments" aria-label="Experiments">
      <h3>Use the callback twice</h3>
      <p class="hint">
        A code can be redeemed once. Redeeming it again returns the tokens that the game already has, without a request. Loading the
        callback again returns the same result, or is refused if its attempt is over, as after a popup. The service refuses an attacker
        without the verifier.
      </p>
      <div class="buttons">
        {EXPERIMENTS.map((experiment) => (
          <button type="button" class="secondary" key={experiment.label} onClick={() => void attempt(experiment)}>
            {experiment.label}
          </button>
        ))}
      </div>
      <p class="outcome" role="status">
        {outcome}
      </p>
    </section>
  )
}

async function outcomeOf({ label, run }: Experiment, { signIn, runs }: DemoContext): Promise<string> {
  if (!signIn.answered) return 'There is no callback to use: this session was restored from its store. Sign in again first.'
  try {
    const { isExpected, text } = await run(signIn.answered)
    runs.note({ kind: isExpected ? 'done' : 'failed', title: label, detail: text })
    return text
  } catch (error) {
    const { className, code } = explain(error)
    runs.fail(error)
    return `Refused: ${code} (${className}).`
  }
}
