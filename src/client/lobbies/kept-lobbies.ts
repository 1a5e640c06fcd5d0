/** Keeps the lobbies of a player beside the session, as text: ids, and the secrets they were joined with. */
import { createDeferred } from '../../shared/foundation/async'
import type { LobbyId } from './lobby-state'
import type { Caller } from '../session/caller'
import type { ClientPort } from './client-port'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import type { ApplicationId, UserId } from '../../shared/foundation/ids'
import { isLobbyId } from './read-lobby'

/** ms for which a call waits for a store. */
const STORE_WAIT = 1000

export class KeptLobbies {
  readonly #client: ClientPort
  /** Settles with the last change. Undefined if none is on its way. */
  #changing: Promise<void> | undefined

  constructor(client: ClientPort) {
    this.#client = client
  }

  /** Keeps the secret of a lobby, or forgets the lobby without one. A store that fails is logged by the session. */
  change({ userId }: Caller, id: LobbyId, secret: string | undefined): void {
    const { sessions, options } = this.#client
    const { keepLobbies, tokenStore, applicationId } = options
    if (keepLobbies === false || !tokenStore || userId === undefined) return
    const change = (text: string | undefined) => changeKept(text, { userId, applicationId }, { id, secret })
    const changing = sessions()
      .then(({ currentSession }) => currentSession.changeLobbies(userId, change))
      .catch(() => undefined)
      .finally(() => {
        if (this.#changing === changing) this.#changing = undefined
      })
    this.#changing = changing
  }

  /** Resolves when every change is stored, since the game may leave the page next, and at the latest after a second. Never rejects. */
  async stored(): Promise<void> {
    if (!this.#changing) return
    const { options, closeSignal } = this.#client
    const waiting = createDeferred<void>(options.clock, {
      timeout: STORE_WAIT,
      signals: [closeSignal],
      makeError: (code) => new Error(code),
    })
    this.#changing.then(waiting.resolve, waiting.resolve)
    await waiting.promise.catch(() => undefined)
  }
}

export interface KeptLobby {
  readonly id: LobbyId
  readonly secret: string
}

/** The player and the application that a list must belong to. */
interface KeptOwner {
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
function changeKept(
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
