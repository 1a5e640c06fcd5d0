/** Selects the limits of a request by method, path and caller. */
import type { BotCaller } from '../auth/authenticate.js'
import type { Bearer } from '../auth/find-bearer.js'
import type { Charge } from './limits.js'
import { LIMIT_SUBJECTS, type LimitName } from './settings.js'

const ROUTES: readonly (readonly [route: RegExp, names: readonly LimitName[]])[] = [
  [/^POST \/lobbies$/, ['create_lobby']],
  [/^PUT \/lobbies$/, ['join_lobby', 'all_joins']],
  [/^GET \/lobbies\/[^/]+$/, ['get_lobby']],
  [/^PATCH \/lobbies\/[^/]+$/, ['edit_lobby']],
  [/^DELETE \/lobbies\/[^/]+$/, ['delete_lobby']],
  [/^POST \/lobbies\/[^/]+\/members\/bulk$/, ['update_lobby_members']],
  [/^POST \/lobbies\/[^/]+\/members\/@me\/invites$/, ['create_own_invite']],
  [/^POST \/lobbies\/[^/]+\/members\/[^/]+\/invites$/, ['create_invite']],
  [/^PUT \/lobbies\/[^/]+\/members\/[^/]+$/, ['add_lobby_member']],
  [/^DELETE \/lobbies\/[^/]+\/members\/(?!@me$)[^/]+$/, ['remove_lobby_member']],
  [/^PATCH \/lobbies\/[^/]+\/channel-linking$/, ['link_lobby']],
  [/^POST \/lobbies\/[^/]+\/messages$/, ['send_message', 'all_messages']],
]

/** Responses to interactions are not counted. */
const EXEMPT = /^[A-Z]+ \/(?:interactions|webhooks)\//

/** @param route like `POST /lobbies`, below the root of the API. */
export function limitsForRequest(route: string, caller: BotCaller | Bearer): Charge[] {
  if (EXEMPT.test(route)) return []
  const { applicationId } = caller
  const [, own = []] = ROUTES.find(([pattern]) => pattern.test(route)) ?? []
  return [...own, 'global' as const].flatMap((name) => {
    if (LIMIT_SUBJECTS[name] === 'application') return [{ name, key: applicationId }]
    return caller.kind === 'bot' ? [] : [{ name, key: `${applicationId} ${caller.player.id}` }]
  })
}
