/** A cache of lobbies whose changes are seen as states, without a client. */
import type { LobbyEndReason, LobbyMessage, LobbyState } from 'foyer-sdk'
import { LiveLobby, LobbyCache } from './internals'

export interface CacheListeners {
  created?: (state: LobbyState) => void
  updated?: (state: LobbyState, previous: LobbyState) => void
  ended?: (id: string, reason: LobbyEndReason) => void
  message?: (message: LobbyMessage) => void
}

export const lobbyCacheOf = ({ created, updated, ended, message }: CacheListeners = {}): LobbyCache =>
  new LobbyCache(
    (state) => new LiveLobby(state),
    {
      lobbyCreated: ({ lobby }) => created?.(lobby.toJSON()),
      lobbyUpdated: ({ lobby, previous }) => updated?.(lobby.toJSON(), previous),
      lobbyDeleted: ({ lobby, reason }) => ended?.(lobby.id, reason),
      lobbyMessage: (event) => message?.(event.message),
    },
    () => undefined,
  )
