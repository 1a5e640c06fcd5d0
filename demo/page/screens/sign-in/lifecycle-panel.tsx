/** Lifecycle of the session: its state, and actions on it. */
import type { Session } from 'foyer-sdk'
import { useEffect, useState } from 'preact/hooks'
import { Icon, type IconName } from 'kit/icon'
import { useDemo, useSession } from '../../context/use-demo'
import type { ActionResult, SessionLog } from '../../game/session-log'

const STATES: Record<Session['state'], { icon: IconName; title: string; words: string }> = {
  fresh: { icon: 'check', title: 'signed in', words: 'the access token is valid' },
  stale: {
    icon: 'clock',
    title: 'token expired',
    words: 'the access token has expired, and the next call refreshes it',
  },
  offline: {
    icon: 'cloud',
    title: 'offline',
    words: 'the network is down, so it could not be refreshed and is kept',
  },
}

/** Strip below the run and the session, which stays in view. */
export function LifecyclePanel() {
  const session = useSession()
  return (
    <section id="life" class="panel life" aria-labelledby="life-title">
      <h2 id="life-title" class="visually-hidden">
        Lifecycle
      </h2>
      <p class="life-state" role="status">
        {session ? <SessionState state={session.state} storage={session.storage} /> : 'Nobody is signed in.'}
      </p>
      <SessionActions />
    </section>
  )
}

function SessionState({ state, storage }: Pick<Session, 'state' | 'storage'>) {
  const { icon, title, words } = STATES[state]
  const kept = storage === 'store' ? 'It survives a reload.' : 'Stored in memory: a reload ends it.'
  return (
    <>
      <span class={`badge badge-${state}`}>
        <Icon name={icon} />
        {title}
      </span>
      <span class="life-words">{`${words}. ${kept}`}</span>
    </>
  )
}

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
  {
    label: 'Expire the access token',
    run: (log) => log.injectFault('expire', 'the service rejects the access token'),
  },
  { label: 'Sleep for 8 days', run: (log) => log.sleep() },
  {
    label: 'Disconnect the network',
    run: (log) => log.injectFault('cut', 'every request to the service is dropped'),
  },
  { label: 'Restore the network', run: (log) => log.injectFault('mend', 'requests arrive again') },
  {
    label: 'Revoke at the service',
    run: (log) => log.injectFault('revoke', 'the player revoked the authorization'),
  },
]

/** Buttons that act on the session, and those that simulate a fault of the service. The result of the last one is beside its button. */
function SessionActions() {
  const { faultControls, sessionLog, runs } = useDemo()
  const [last, setLast] = useState<{ label: string; result?: ActionResult }>()
  const current = runs.current?.id
  // A result is about the session of its run.
  useEffect(() => setLast(undefined), [current])
  const run = async (action: Action) => {
    setLast({ label: action.label })
    const result = await action.run(sessionLog)
    setLast({ label: action.label, result })
  }
  const buttonOf = (action: Action) => (
    <ActionButton
      label={action.label}
      result={last?.label === action.label ? last.result : undefined}
      run={() => void run(action)}
      key={action.label}
    />
  )
  return (
    <div class="session-actions">
      {ACTIONS.map(buttonOf)}
      {faultControls() && (
        <>
          <span class="action-kind">Simulate</span>
          {FAULTS.map(buttonOf)}
        </>
      )}
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
