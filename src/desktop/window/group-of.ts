/** Calls of one group of a client by name. */
import { CALL_PATHS } from '../../client/call-paths'

/** The window itself answers these at once. */
const OWN: ReadonlySet<string> = new Set(['lobbies.get', 'lobby.inviteLink', 'desktop.followInvitations'])

/** @param callAt creates the call of a path. */
export function groupOf<Call>(prefix: string, callAt: (path: string) => Call): Record<string, Call> {
  const paths = Object.keys(CALL_PATHS).filter((path) => path.startsWith(prefix) && !OWN.has(path))
  return Object.fromEntries(paths.map((path) => [path.slice(prefix.length), callAt(path)]))
}
