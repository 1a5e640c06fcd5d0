/** The session of the page's own client, for components. */
import type { Session } from 'foyer-sdk'
import { useEverySecond } from '../foundation/every-second'
import { useDemo } from '../context/use-demo'

/** Returns the session. Its state depends on the time too: a component that uses it is drawn again every second. */
export function useSession(): Session | null {
  const { sessionLog, signIn } = useDemo()
  useEverySecond()
  return sessionAfter(sessionLog, [sessionLog.revision.value, signIn.player.value])
}

/** The client changes its session in place: what it depends on is read for its changes alone. */
function sessionAfter(log: { readonly session: Session | null }, _changes: readonly unknown[]): Session | null {
  return log.session
}
