/** Lifecycle of the session: its state, and actions on it. */
import type { Session } from 'foyer-sdk'
import { Icon, type IconName } from 'kit/icon'
import { SessionActions } from './session-actions'
import { useSession } from './use-session'

const STATES: Record<Session['state'], { icon: IconName; words: string }> = {
  fresh: { icon: 'check', words: 'the access token is valid' },
  stale: { icon: 'clock', words: 'the access token has expired, and the next call refreshes it' },
  offline: { icon: 'cloud', words: 'the network is down, so it could not be refreshed and is kept' },
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
  const { icon, words } = STATES[state]
  const kept = storage === 'store' ? 'It survives a reload.' : 'Stored in memory: a reload ends it.'
  return (
    <>
      <span class={`badge badge-${state}`}>
        <Icon name={icon} />
        {state}
      </span>
      <span class="life-words">{`${words}. ${kept}`}</span>
    </>
  )
}
