/** Buttons that act on the session, and those that simulate a fault of the service. */
import type { SessionLog } from '../game/session-log'
import { useDemo } from '../context/use-demo'

interface Action {
  readonly label: string
  readonly run: (log: SessionLog) => Promise<void>
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

export function SessionActions({ hidden }: { hidden: boolean }) {
  const { faultControls } = useDemo()
  return (
    <div class="session-actions" hidden={hidden}>
      <ActionButtons actions={ACTIONS} />
      <section class="experiments" aria-label="Faults" hidden={!faultControls()}>
        <h3>Simulate a fault</h3>
        <p class="hint">The emulator simulates the fault. Then call the API and watch the session.</p>
        <ActionButtons actions={FAULTS} />
      </section>
    </div>
  )
}

function ActionButtons({ actions }: { actions: readonly Action[] }) {
  const { sessionLog } = useDemo()
  return (
    <div class="buttons">
      {actions.map(({ label, run }) => (
        <button type="button" class="secondary" key={label} onClick={() => void run(sessionLog)}>
          {label}
        </button>
      ))}
    </div>
  )
}
