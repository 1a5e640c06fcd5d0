/** Buttons that act on the session, and those that simulate a fault of the service. The result of the last one is beside its button. */
import { useState } from 'preact/hooks'
import type { ActionResult, SessionLog } from '../game/session-log'
import { useDemo } from '../context/use-demo'
import { useSession } from './use-session'

interface Action {
  readonly label: string
  readonly run: (log: SessionLog) => Promise<ActionResult>
}

const ACTIONS: readonly Action[] = [
  { label: 'Refresh now', run: (log) => log.refresh() },
  { label: 'Call the API', run: (log) => log.callApi() },
  { label: 'Sign out and revoke', run: (log) => log.revoke() },
]

/** These need the emulator. */
const FAULTS: readonly Action[] = [
  { label: 'Expire the access token', run: (log) => log.injectFault('expire', 'the service rejects the access token') },
  { label: 'Sleep for 8 days', run: (log) => log.sleep() },
  { label: 'Disconnect the network', run: (log) => log.injectFault('cut', 'every request to the service is dropped') },
  { label: 'Restore the network', run: (log) => log.injectFault('mend', 'requests arrive again') },
  { label: 'Revoke at the service', run: (log) => log.injectFault('revoke', 'the player revoked the authorization') },
]

export function SessionActions() {
  const { faultControls, sessionLog } = useDemo()
  const [last, setLast] = useState<{ label: string; result?: ActionResult }>()
  const run = async (action: Action) => {
    setLast({ label: action.label })
    const result = await action.run(sessionLog)
    setLast({ label: action.label, result })
  }
  const actions = [...ACTIONS, ...(faultControls() ? FAULTS : [])]
  return (
    <div class="session-actions">
      {actions.map((action) => (
        <ActionButton
          label={action.label}
          result={last?.label === action.label ? last.result : undefined}
          run={() => void run(action)}
          key={action.label}
        />
      ))}
    </div>
  )
}

interface ButtonProps {
  label: string
  result: ActionResult | undefined
  run: () => void
}

/** Without a session nothing happens. Not `disabled`: that would lose the keyboard focus. */
function ActionButton({ label, result, run }: ButtonProps) {
  const session = useSession()
  return (
    <>
      <button type="button" class="secondary" aria-disabled={!session} onClick={() => session && run()}>
        {label}
      </button>
      <span class={result?.isFailed ? 'action-result action-failed' : 'action-result'} role="status">
        {result?.words}
      </span>
    </>
  )
}
