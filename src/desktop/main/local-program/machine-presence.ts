/** The presence of a desktop game: it belongs to the machine, so that it needs neither a session nor a token. */
import type { PresenceAuthor, PresenceSource } from '../../../client/activity/presence-sender'
import type { ClientContext } from '../../../client/sign-in/sign-in-client'

/** @param clear removes the presence: one that follows a lobby ends with the session of its player. */
export function machinePresence(
  source: PresenceSource,
  { authState }: ClientContext,
  clear: () => void,
): PresenceSource {
  return {
    ...source,
    author(): PresenceAuthor {
      const { caller } = authState
      return {
        accessToken: () => Promise.resolve(undefined),
        requireCurrent: () => caller.userId === undefined || caller.requireCurrent(),
        onEnd: (callback) =>
          caller.onEnd(() => {
            callback()
            clear()
          }),
      }
    },
  }
}
