/** List of the steps of a sign-in, each with its checks and time. */
import type { SignInStep } from '../game/sign-in-steps'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../context/use-demo'
import { CheckList } from './check-list'

const WORDS = { done: 'Done', warning: 'Warning', failed: 'Failed' }
const ICONS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export function StepsPanel() {
  const { steps } = useDemo()
  const all = steps.list.value
  const isEmpty = all.length === 0
  return (
    <Panel id="steps" title="Steps" tools={<CopyButton what="the steps" text={() => steps.toText()} hidden={isEmpty} />}>
      <div>
        <p class="empty" hidden={!isEmpty}>
          No steps yet. Sign in, and every step appears here with its checks.
        </p>
        <div role="log" aria-label="Steps of the sign-in">
          <ol class="steps">
            {all.map((step) => (
              // A step keeps its time when its checks arrive.
              <Step step={step} key={`${step.at} ${step.title}`} />
            ))}
          </ol>
        </div>
      </div>
    </Panel>
  )
}

function Step({ step: { kind, title, detail, checks, at } }: { step: SignInStep }) {
  return (
    <li class={`step step-${kind}`}>
      <span class="step-mark">
        <Icon name={ICONS[kind]} />
        <span class="visually-hidden">{`${WORDS[kind]}: `}</span>
      </span>
      <div class="step-body">
        <p class="step-head">
          <strong>{title}</strong>
          <span class="ms">{milliseconds(at)}</span>
        </p>
        <p class="step-detail">{detail}</p>
        {checks.length > 0 && <CheckList checks={checks} />}
      </div>
    </li>
  )
}

function milliseconds(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en')} ms`
}
