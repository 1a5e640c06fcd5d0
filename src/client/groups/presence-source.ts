/** Connects the rich presence of an Activity with the client's lobbies and session. */
import type { PresenceSource } from '../activity/presence-sender'
import { FoyerError } from '../../shared/foundation/errors'
import { reveal } from '../../shared/foundation/secret'
import type { PlayerParts } from './player-parts'
import type { ClientContext } from '../sign-in/sign-in-client'

export function presenceSource(
  { on, sessions, log, authState }: ClientContext,
  player: PlayerParts,
): PresenceSource {
  const listeners = new Set<(change: { id: string; ended: boolean }) => void>()
  const report = (change: { id: string; ended: boolean }) => listeners.forEach((listener) => listener(change))
  on('lobbyUpdated', ({ lobby: { id } }) => report({ id, ended: false }))
  on('lobbyDeleted', ({ lobby: { id } }) => report({ id, ended: true }))
  return {
    lobby: (id) => player.openedLobbies?.get(id)?.toJSON(),
    onLobbies(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    author() {
      const { caller } = authState
      return {
        accessToken: async () =>
          reveal((await (await sessions()).getUsableRecord(caller)).tokens.accessToken),
        requireCurrent: () => caller.requireCurrent(),
        onEnd: (callback) => caller.onEnd(callback),
      }
    },
    onFailure: (error) =>
      log('warn', 'activity.presence_failed', { code: error instanceof FoyerError ? error.code : 'unknown' }),
  }
}
