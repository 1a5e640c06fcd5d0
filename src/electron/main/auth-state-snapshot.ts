/** Who is signed in at the main process, counted, so that a window can tell late news from current news. */
import type { CoreClient } from '../../client/client'
import { systemClock } from '../../foundation/clock'
import type { FoyerError } from '../../foundation/errors'
import { monotonic } from '../../foundation/monotonic-clock'
import type { AuthStateSnapshot } from '../contract'
import { serialize, type SerializeContext } from './serialize'

/** After these, windows know other lobbies. */
const LOBBY_EVENTS = ['lobbyCreated', 'lobbyUpdated', 'lobbyDeleted'] as const

export interface AuthStateTracker {
  /** Grows with every change. */
  sequence(): number
  /** A `PresenceNotice`, as of now. */
  serialize(sealing: SerializeContext): string
  /** Ends the counting. */
  close(): void
}

/** `onChange` is called after each change that the client tells of; a session may also be renewed without a word. */
export function trackAuthState(client: CoreClient, onChange: () => void): AuthStateTracker {
  const first = firstCount()
  const seen = { sequence: first, revision: first, sessionRevision: first, session: client.session }
  let cause: FoyerError | undefined
  const look = () => {
    const { session } = client
    if (session !== seen.session) Object.assign(seen, { session, revision: seen.revision + 1, sequence: seen.sequence + 1 })
    return seen
  }
  const change = () => {
    seen.sequence += 1
    onChange()
  }
  const undo = [
    client.subscribe('sessionChanged', ({ cause: why }) => {
      seen.sessionRevision += 1
      cause = why
      change()
    }),
    client.subscribe('tokenRefreshed', change),
    client.subscribe('statusChanged', change),
    ...LOBBY_EVENTS.map((name) => client.subscribe(name, change)),
  ]
  return {
    sequence: () => look().sequence,
    serialize(sealing) {
      const notice: AuthStateSnapshot = {
        ...look(),
        status: client.status,
        applicationId: client.getApplicationId(),
        lobbies: client.getLobbyIds().map((id) => client.getLobby(id)),
        ...(cause && { cause: cause.toJSON() }),
      }
      return serialize(notice, sealing)
    },
    close() {
      for (const step of undo) step()
    },
  }
}

/** Windows may stay while one client takes another's place: whoever comes later counts from further on. */
const firstCount = (): number => Math.ceil(monotonic(systemClock).elapsed() * 1000)
