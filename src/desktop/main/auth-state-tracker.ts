/** Versioned snapshot of the authentication state for windows. */
import type { CoreClient } from '../../client/core-client'
import { systemClock } from '../../shared/foundation/clock'
import { monotonic } from '../../shared/foundation/monotonic-clock'
import type { FoyerError } from '../../shared/foundation/errors'
import type { AuthStateSnapshot } from '../contract/ipc-contract'
import { serialize, type SerializeContext } from './ipc-value-codec'

/** Events that change the lobbies in the snapshot. */
const LOBBY_EVENTS = ['lobbyCreated', 'lobbyUpdated', 'lobbyDeleted'] as const

export interface AuthStateTracker {
  /** Increases with every change. */
  sequence(): number
  /** Increases when another player, or nobody, is signed in. */
  playerRevision(): number
  /** Serializes the current `AuthStateSnapshot`. */
  serialize(context: SerializeContext): string
  /** Stops tracking. */
  close(): void
}

/** Ignores lobbies that end with their player: `sessionChanged` follows at once, and a window must not learn of the session without it. */
function listenToLobbies(client: CoreClient, change: () => void): (() => void)[] {
  let { userId } = client.session ?? {}
  return [
    client.on('sessionChanged', ({ session }) => (userId = session?.userId)),
    ...LOBBY_EVENTS.map((name) => client.on(name, () => client.session?.userId === userId && change())),
  ]
}

/** Calls `onChange` after every change with an event. A session may also be refreshed without one. */
export function trackAuthState(
  client: CoreClient,
  onChange: () => void,
  inviteAddress?: string,
): AuthStateTracker {
  const first = firstCount()
  const seen = {
    sequence: first,
    revision: first,
    sessionRevision: first,
    playerRevision: first,
    session: client.session,
  }
  let cause: FoyerError | undefined
  const update = () => {
    const { session } = client
    if (session !== seen.session)
      Object.assign(seen, { session, revision: seen.revision + 1, sequence: seen.sequence + 1 })
    return seen
  }
  const change = () => {
    seen.sequence += 1
    onChange()
  }
  const undo = [
    client.on('sessionChanged', ({ session, previous, cause: why }) => {
      seen.sessionRevision += 1
      if (session?.userId !== previous?.userId) seen.playerRevision += 1
      cause = why
      change()
    }),
    client.on('tokenRefreshed', change),
    client.on('statusChanged', change),
    ...(client.desktop ? [client.desktop.on('statusChanged', change)] : []),
    ...listenToLobbies(client, change),
  ]
  return {
    sequence: () => update().sequence,
    playerRevision: () => seen.playerRevision,
    serialize(context) {
      const notice: AuthStateSnapshot = {
        ...update(),
        ...readState(client, inviteAddress),
        ...(cause && { cause: cause.toJSON() }),
      }
      return serialize(notice, context)
    },
    close() {
      for (const step of undo) step()
    },
  }
}

function readState(
  client: CoreClient,
  inviteAddress: string | undefined,
): Pick<AuthStateSnapshot, 'status' | 'applicationId' | 'inviteAddress' | 'lobbies' | 'desktop'> {
  const { status, applicationId, lobbies, desktop } = client
  return {
    status,
    applicationId,
    inviteAddress,
    lobbies: lobbies.toJSON(),
    ...(desktop && { desktop: { status: desktop.status, user: desktop.user } }),
  }
}

/** A new client may replace an old one while windows stay open, so its counters must start higher. */
const firstCount = (): number => Math.ceil(monotonic(systemClock).elapsed() * 1000)
