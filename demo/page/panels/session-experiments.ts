/** Buttons that use an answer twice, and say how that ended. */
import type { DemoContext } from '../context'
import { explain } from '../game/error-advice'
import { deliverAgain, type Finding, redeemAgain, stealCode } from '../game/experiments'
import type { Answered } from '../game/sign-in'
import { h } from '../ui/dom'

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
    h('h3', {}, ['Use the answer twice']),
    h('p', { class: 'hint' }, [
      'A code counts once. Redeemed again, it gives the game the tokens it has, without a request. The callback loaded again gives the same result, or is refused when its attempt is over, as it is after a popup. A thief, who lacks the verifier, is refused by the service.',
    ]),
    h('div', { class: 'buttons' }, buttons),
    outcome,
  ])
}

interface Experiment {
  label: string
  run: (answered: Answered) => Promise<Finding>
  outcome: HTMLElement
}

async function attempt({ label, run, outcome }: Experiment, { signIn, steps }: DemoContext): Promise<void> {
  if (!signIn.answered) {
    outcome.textContent = 'There is no answer to use: this session came back from its store. Sign in again first.'
    return
  }
  outcome.textContent = `${label} …`
  try {
    const { isRight, words } = await run(signIn.answered)
    outcome.textContent = words
    steps.note({ kind: isRight ? 'done' : 'failed', title: label, detail: words })
  } catch (error) {
    const { className, code } = explain(error)
    outcome.textContent = `Refused: ${code} (${className}).`
    steps.fail(error)
  }
}
