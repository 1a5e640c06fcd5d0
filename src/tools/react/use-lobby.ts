/** Hook for one lobby. */
'use client'

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { LobbyMessage, Metadata } from '../../client/lobbies/lobby-state'
import type { JoinOptions } from '../../client/lobbies/lobby-requests'
import { RenderedSecrets, tellChangingSecret } from './changing-secret'
import { systemClock } from '../../shared/foundation/clock'
import type { ClientStore } from './client-store'
import { useClientStore } from './foyer-provider'
import { IDLE, LobbySubscription, type LobbySnapshot } from './lobby-subscription'

/** Options of `useLobby`. Read when the lobby is joined; components with the same secret share those of the first. */
export interface LobbyHookOptions extends JoinOptions {
  /** Time in ms between two requests for new messages, at least 1,000. Default: 5,000. 0: none, for games with `lobbyUpdates`. */
  interval?: number | undefined
  /**
   * Number of messages from before the join with which `messages` begins, 1 to 200. Default: 0, none. If they cannot be read, `error` has the
   * reason, and the player is in the lobby all the same.
   */
  history?: number | undefined
}

/** Result of `useLobby`. The calls stay the same functions between renders. */
export interface LobbyHookResult extends LobbySnapshot {
  /** Sends a message. Never rejects: resolves with null if it fails or the lobby is not joined, and `error` is set in the first case. */
  send(this: void, content: string, metadata?: Metadata): Promise<LobbyMessage | null>
  /** Joins again after `failed`. */
  retry(this: void): void
}

/**
 * Keeps the player in the lobby of this secret while the component is mounted and the player is signed in; without a secret in none.
 * Components with the same secret share one membership, and the player leaves after the last one is unmounted. A secret that changes with each
 * render is a fault that the console names: the player stays in the first lobby.
 *
 * @throws ConfigurationError `invalid_argument` without a `FoyerProvider`.
 * @example
 * ```tsx
 * const { messages, send } = useLobby('moon-42', { interval: 1000 })
 * return <button onClick={() => send('Ready!')}>{messages.length} messages</button>
 * ```
 */
export function useLobby(given: string | null | undefined, options: LobbyHookOptions = {}): LobbyHookResult {
  const store = useClientStore()
  const [rendered] = useState(() => new RenderedSecrets())
  const [kept, keep] = useState<string>()
  rendered.add(given)
  const secret = given && (kept ?? given)
  const latest = useRef(options)
  // Above the store's own effect, which joins.
  useEffect(() => {
    latest.current = options
  })
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!secret) return () => undefined
      let cancel: (() => void) | undefined
      const heard = () => {
        listener()
        // After the render that this has caused.
        cancel ??= systemClock.after(0, () => {
          cancel = undefined
          if (!rendered.takeFault()) return
          keep(secret)
          tellChangingSecret()
        })
      }
      const { interval = 5000 } = latest.current
      const end = open(store, secret).subscribe(heard, { ...latest.current, interval })
      return () => {
        cancel?.()
        end()
      }
    },
    [store, secret, rendered],
  )
  const getSnapshot = () => find(store, secret)?.getSnapshot() ?? IDLE
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, () => IDLE)
  return { ...snapshot, ...useMemo(() => createCalls(store, secret), [store, secret]) }
}

type Secret = string | null | undefined

/** Rendering creates nothing: a tree that React throws away, as with Suspense, must leave nothing behind. */
function find({ lobbies }: ClientStore, secret: Secret): LobbySubscription | undefined {
  return secret ? lobbies.get(secret) : undefined
}

function open(store: ClientStore, secret: string): LobbySubscription {
  const subscription = find(store, secret) ?? new LobbySubscription(store, secret)
  store.lobbies.set(secret, subscription)
  return subscription
}

function createCalls(store: ClientStore, secret: Secret): Pick<LobbyHookResult, 'send' | 'retry'> {
  return {
    send: async (content, metadata) => find(store, secret)?.send(content, metadata) ?? null,
    retry: () => find(store, secret)?.retry(),
  }
}
