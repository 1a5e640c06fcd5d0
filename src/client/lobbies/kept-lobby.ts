/** The lobbies of a player as text, which is kept beside their session: ids, and the secrets they were joined with. Pure. */
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import type { ApplicationId, UserId } from '../../shared/foundation/ids'
import type { LobbyId } from './lobby-state'
import { isLobbyId } from './read-lobby'

export interface KeptLobby {
  readonly id: LobbyId
  readonly secret: string
}

/** The player and the application that a list must belong to. */
export interface KeptOwner {
  readonly userId: UserId
  readonly applicationId: ApplicationId | undefined
}

const VERSION = 1
/** As many as a stream names when it connects. The oldest are forgotten first. */
const MAX_LOBBIES = 16
const SECRET = /^[^]{1,1000}$/

/** The lobbies of this player with this application, oldest first. Empty for a text of anyone else, and for a damaged one. */
export function readKept(
  text: string | undefined,
  { userId, applicationId }: KeptOwner,
): readonly KeptLobby[] {
  const value = parse(text)
  if (
    !isRecord(value) ||
    value['v'] !== VERSION ||
    value['userId'] !== userId ||
    value['applicationId'] !== applicationId
  )
    return []
  const { lobbies } = value
  return Array.isArray(lobbies) ? lobbies.filter(isKept).slice(-MAX_LOBBIES) : []
}

/** Adds a lobby with its secret, or removes it without one. Undefined if no lobby is left. A text of a later version stays. */
export function changeKept(
  text: string | undefined,
  owner: KeptOwner,
  { id, secret }: { readonly id: LobbyId; readonly secret: string | undefined },
): string | undefined {
  const value = parse(text)
  if (isRecord(value) && Number(value['v']) > VERSION) return text
  const others = readKept(text, owner).filter((each) => each.id !== id)
  const lobbies = secret === undefined ? others : [...others, { id, secret }].slice(-MAX_LOBBIES)
  return lobbies.length > 0 ? JSON.stringify({ v: VERSION, ...owner, lobbies }) : undefined
}

function isKept(value: unknown): value is KeptLobby {
  return isRecord(value) && isLobbyId(value['id']) && isText(value['secret'], SECRET)
}

function parse(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text)
  } catch {
    return undefined
  }
}
