/** Buttons that use a callback twice, and show the outcome. */
import type { DemoContext } from '../panel-context'
import { explain } from '../game/error-advice'
import { deliverAgain, type ExperimentResult, redeemAgain, stealCode } from '../game/callback-reuse-experiments'
import type { FinishedSignIn } from '../game/run-sign-in'
import { h } from '../ui/create-element'

const EXPERIMENTS = [
  { label: 'Redeem the code again', run: redeemAgain },
  { label: 'Load the callback again', run: deliverAgain },
  { label: 'Steal the code', run: stealCode },
]

export function experiments(context: DemoContext): HTMLElement {
  const outcome = h('p', { class: 'outcome', role: 'status' })
  const buttons = EXPERIMENTS.map(({ label, run }) =>
    h('button', { type: 'button', class: 'secondary', onclick: () => void attempt({ label, run, outcome }, context) }, [label]),
  )
  return h('section', { class: 'experiments', 'aria-label': 'Experiments' }, [
    h('h3', {}, ['Use the callback twice']),
    h('p', { class: 'hint' }, [
      'A code can be redeemed once. Redeeming it again returns the tokens that the game already has, without a request. Loading the callback again returns the same result, or is refused if its attempt is over, as after a popup. The service refuses an attacker without the verifier.',
    ]),
    h('div', { class: 'buttons' }, buttons),
    outcome,
  ])
}

interface Experiment {
  label: string
  run: (answered: FinishedSignIn) => Promise<ExperimentResult>
  outcome: HTMLElement
}

async function attempt({ label, run, outcome }: Experiment, { signIn, steps }: DemoContext): Promise<void> {
  if (!signIn.answered) {
    outcome.textContent = 'There is no callback to use: this session was restored from its store. Sign in again first.'
    return
  }
  outcome.textContent = `${label} …`
  try {
    const { isExpected, text } = await run(signIn.answered)
    outcome.textContent = text
    steps.note({ kind: isExpected ? 'done' : 'failed', title: label, detail: text })
  } catch (error) {
    const { className, code } = explain(error)
    outcome.textContent = `Refused: ${code} (${className}).`
    steps.fail(error)
  }
}
