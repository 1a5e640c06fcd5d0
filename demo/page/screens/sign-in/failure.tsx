/** Failure of the last sign-in: its cause, what to do about it, and what the tester had changed. */
import { useDemo } from '../../context/use-demo'
import { isRedirectRefused } from '../../game/explain'
import { describeChanges } from '../../game/request-changes'
import type { Progress } from '../../game/sign-in'
import { FailureCard } from '../../ui/failure-card'
import { RedirectAdvice, useRedirectRefusal } from './redirect-advice'

export function Failure() {
  const progress = useDemo().signIn.progress.value
  const { error } = progress
  const refusal = useRedirectRefusal(error)
  return (
    <>
      {/* With the registered ones beside it, the cause is told there. */}
      <FailureCard error={error} isBrief={refusal?.registered !== undefined && isRedirectRefused(error)} />
      {refusal && <RedirectAdvice refusal={refusal} />}
      <ChangedRequest progress={progress} />
    </>
  )
}

/** Says that the failed request was the tester's, not the SDK's. */
function ChangedRequest({ progress: { changes = [], isWindowLeft = false } }: { progress: Progress }) {
  return (
    <>
      {changes.length > 0 && (
        <p class="hint">
          Changed on purpose: <code>{describeChanges(changes)}</code>. The SDK itself would not send this
          request.
        </p>
      )}
      {isWindowLeft && (
        <p class="hint">
          The service’s page is still open in the other window. It closes with the next sign-in.
        </p>
      )}
    </>
  )
}
