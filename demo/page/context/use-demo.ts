/** Gives the state of the page to its components. */
import type { Session } from 'foyer-sdk'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useEverySecond } from '../foundation/every-second'
import type { DemoContext } from './demo-context'

const Shared = createContext<DemoContext | undefined>(undefined)

/** Provides the state to the components inside it. */
export const DemoProvider = Shared.Provider

/** Returns the state of the page. @throws Error outside of a `DemoProvider`. */
export function useDemo(): DemoContext {
  const context = useContext(Shared)
  if (!context) throw new Error('The component is outside of a DemoProvider.')
  return context
}

/** Returns the session. Its state depends on the time too: a component that uses it is drawn again every second. */
export function useSession(): Session | null {
  const { sessionLog, signIn } = useDemo()
  useEverySecond()
  return sessionAfter(sessionLog, [sessionLog.revision.value, signIn.player.value])
}

/** The client changes its session in place: what it depends on is read for its changes alone. */
function sessionAfter(
  log: { readonly session: Session | null },
  _changes: readonly unknown[],
): Session | null {
  return log.session
}
