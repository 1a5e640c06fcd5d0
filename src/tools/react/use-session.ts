/** Hook for the player's session. */
'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { SignInOptions } from '../../client/sign-in/sign-in-client'
import type { SignOutOptions, SignOutResult } from '../../client/sign-in/sessions'
import type { Session } from '../../client/session/session'
import { type ClientStore, SERVER_SNAPSHOT, type SessionSnapshot } from './client-store'
import { useClientStore } from './foyer-provider'

/** Result of `useSession`: the session, and calls that change it. The calls stay the same functions between renders. */
export interface SessionHookResult extends SessionSnapshot {
  /** Signs the player in. Call it synchronously in a click handler. Never rejects: resolves with null if it fails, and `error` is set. */
  signIn(this: void, options?: SignInOptions): Promise<Session | null>
  /** Signs the player out, like `client.signOut`. */
  signOut(this: void, options?: SignOutOptions): Promise<SignOutResult>
}

/**
 * Returns the player's session, and renders again when it changes, here or in another tab.
 *
 * @throws ConfigurationError `invalid_argument` without a `FoyerProvider`.
 * @example
 * ```tsx
 * const { session, isResuming, signIn, error } = useSession()
 * if (isResuming) return null
 * if (!session) return <button onClick={() => signIn()}>Sign in {error?.code}</button>
 * return <p>Welcome, {session.user.displayName ?? session.userId}</p>
 * ```
 */
export function useSession(): SessionHookResult {
  const store = useClientStore()
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, () => SERVER_SNAPSHOT)
  const calls = useMemo(() => createCalls(store), [store])
  return { ...snapshot, ...calls }
}

function createCalls(store: ClientStore): Pick<SessionHookResult, 'signIn' | 'signOut'> {
  const { client } = store
  return {
    signIn: (options) => store.attempt(() => client.signIn(options)),
    signOut: (options) => client.signOut(options),
  }
}
