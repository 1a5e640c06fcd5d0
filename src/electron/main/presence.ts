/** Who is signed in at the main process, counted, so that a window can tell late news from current news. */
import type { CoreClient } from '../../client/client'
import { systemClock } from '../../foundation/clock'
import type { FoyerError } from '../../foundation/errors'
import { steady } from '../../foundation/steady-clock'
import type { PresenceNotice } from '../contract'
import { seal, type Sealing } from './crossing'

/** After these, windows know other lobbies. */
const LOBBY_EVENTS = ['lobbyCreated', 'lobbyUpdated', 'lobbyDeleted'] as const

export interface Presence {
  /** Grows with every change. */
  sequence(): number
  /** A `PresenceNotice`, as of now. */
  print(sealing: Sealing): string
  /** Ends the counting. */
  close(): void
}

/** `onChange` is called after each change that the client tells of; a session may also be renewed without a word. */
export function watchPresence(client: CoreClient, onChange: () => void): Presence {
  const first = firstCount()
  const seen = { sequence: first, revision: first, turn: first, session: client.session }
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
      seen.turn += 1
      cause = why
      change()
    }),
    client.subscribe('tokenRefreshed', change),
    client.subscribe('statusChanged', change),
    ...LOBBY_EVENTS.map((name) => client.subscribe(name, change)),
  ]
  return {
    sequence: () => look().sequence,
    print(sealing) {
      const notice: PresenceNotice = {
        ...look(),
        status: client.status,
        applicationId: client.getApplicationId(),
        lobbies: client.getLobbyIds().map((id) => client.getLobby(id)),
        ...(cause && { cause: cause.toJSON() }),
      }
      return seal(notice, sealing)
    },
    close() {
      for (const step of undo) step()
    },
  }
}

/** Windows may stay while one client takes another's place: whoever comes later counts from further on. */
const firstCount = (): number => Math.ceil(steady(systemClock).elapsed() * 1000)
