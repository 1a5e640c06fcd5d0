/** Steps of a run, each with its checks, its time, and a link to the message that it is about. */
import type { Exchange } from '../../exchanges/exchange'
import { title as titleOf } from '../../exchanges/exchange'
import type { Run, SignInStep } from '../../game/runs'
import { Icon } from 'kit/icon'
import { useDemo } from '../../context/use-demo'
import { CheckList } from '../../ui/check-list'

const WORDS = { done: 'Done', warning: 'Warning', failed: 'Failed' }
const ICONS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export function RunSteps({ run }: { run: Run }) {
  const { exchanges } = useDemo()
  const own = exchanges.list.value.filter((exchange) => exchange.run === run.id)
  return (
    <div role="log" aria-label="Steps of the sign-in">
      <ol class="steps" key={run.id}>
        {run.steps.map((step) => (
          // A step keeps its time when its checks arrive.
          <Step step={step} message={messageOf(step, own)} key={`${step.at} ${step.title}`} />
        ))}
      </ol>
    </div>
  )
}

/** Returns the message of a step; undefined if none was recorded, or if an earlier step has it. */
function messageOf({ name }: SignInStep, own: readonly Exchange[]): Exchange | undefined {
  if (name === 'authorization.started') return own.find(({ kind }) => kind === 'authorize')
  if (/^authorization\.(answered|checked)$/.test(name)) return own.find(({ kind }) => kind === 'callback')
  if (/^(token\.requested|id_token\.)/.test(name))
    return own.find(({ kind, url }) => kind === 'request' && url.endsWith('/token'))
  return undefined
}

function Step({
  step: { kind, title, detail, checks, at },
  message,
}: {
  step: SignInStep
  message: Exchange | undefined
}) {
  const { openedExchanges } = useDemo()
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
        <div class="step-more">
          {message && (
            <button
              type="button"
              class="message-link"
              aria-label={`Open ${titleOf(message)} (${title})`}
              onClick={() => openedExchanges.focus(message.id)}
            >
              {titleOf(message)}
              <Icon name="arrow" />
            </button>
          )}
          {checks.length > 0 && <CheckList checks={checks} />}
        </div>
      </div>
    </li>
  )
}

function milliseconds(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en')} ms`
}
