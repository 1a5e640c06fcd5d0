/** Sends the rich presence, and keeps the size of its party equal to the lobby's. */
import { ConfigurationError } from '../../shared/foundation/errors'
import type { ActivityHostCommands, HostCallOptions } from './create-host-commands'
import type { HostPresence } from './host-types'

/** Rich presence of the player, with a party that may follow a lobby. */
export interface ActivityPresence extends Omit<HostPresence, 'party'> {
  /** The group: an id with sizes, or a lobby of the player with its maximum size. */
  readonly party?:
    | { readonly id: string; readonly size?: readonly [current: number, max: number] | undefined }
    | { readonly lobbyId: string; readonly max: number }
    | undefined
}

/** Lobby, as far as a party needs it. */
export interface PartyLobby {
  readonly id: string
  readonly members: readonly unknown[]
}

/** Session that sets a presence. Another player's token never carries it. */
export interface PresenceAuthor {
  /** Access token of the session; undefined for a host that needs none. Rejects with `signed_out` once the session is over. */
  accessToken: () => Promise<string | undefined>
  /** @throws SessionError `signed_out` once the session is over. */
  requireCurrent: () => void
  /** Calls back when the session ends. Returns a function that removes the callback. */
  onEnd: (callback: () => void) => () => void
}

/** Services of the client for the presence. */
export interface PresenceSource {
  /** Lobby in the client's cache. */
  lobby: (id: string) => PartyLobby | undefined
  /** Calls the listener when a lobby changes or ends; returns a function that ends this. */
  onLobbies: (listener: (change: { id: string; ended: boolean }) => void) => () => void
  /** The session that is current now, as the author of a presence. */
  author: () => PresenceAuthor
  /** Reports a presence that could not be updated. */
  onFailure: (error: unknown) => void
}

/** The commands of a host that a presence needs. */
export interface PresenceCommands extends Pick<ActivityHostCommands, 'authenticate'> {
  /** Its answer is not used. */
  setActivity(...given: Parameters<ActivityHostCommands['setActivity']>): Promise<unknown>
}

export class PresenceSender {
  readonly #source: PresenceSource
  readonly #commands: PresenceCommands
  #end: (() => void) | undefined
  /** Token that the host has. */
  #given: string | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(source: PresenceSource, commands: PresenceCommands) {
    this.#source = source
    this.#commands = commands
  }

  /** Calls are sent one at a time, in order. */
  async set(presence: ActivityPresence | null, options?: HostCallOptions): Promise<void> {
    const author = this.#source.author()
    this.#end?.()
    this.#end = undefined
    const activity = presence && toHostPresence(presence, this.#source)
    const lobbyId = presence?.party && 'lobbyId' in presence.party ? presence.party.lobbyId : undefined
    if (presence && lobbyId !== undefined) this.#end = this.#follow(presence, lobbyId, author)
    await this.#send(activity, author, options)
  }

  /** Follows the lobby until its author's session ends. */
  #follow(presence: ActivityPresence, lobbyId: string, author: PresenceAuthor): () => void {
    const stop = this.#source.onLobbies(({ id, ended }) => {
      if (id !== lobbyId) return
      if (ended) this.#end?.()
      const next = ended ? null : toHostPresence(presence, this.#source)
      this.#send(next, author).catch((error: unknown) => this.#source.onFailure(error))
    })
    const release = author.onEnd(stop)
    return () => {
      release()
      stop()
    }
  }

  #send(activity: HostPresence | null, author: PresenceAuthor, options?: HostCallOptions): Promise<void> {
    const send = async () => {
      const token = await author.accessToken()
      if (token !== undefined && token !== this.#given)
        await this.#commands.authenticate({ accessToken: token }, options)
      this.#given = token
      author.requireCurrent()
      await this.#commands.setActivity({ activity }, options)
    }
    const sent = this.#sending.then(send)
    this.#sending = sent.catch(() => undefined)
    return sent
  }
}

function toHostPresence({ party, ...rest }: ActivityPresence, { lobby }: PresenceSource): HostPresence {
  if (!party || !('lobbyId' in party)) return { ...rest, ...(party && { party }) }
  const { lobbyId, max } = party
  const size = lobby(lobbyId)?.members.length
  if (size === undefined)
    throw new ConfigurationError('invalid_argument', 'party.lobbyId', {
      remedy: 'The player is in no such lobby: call createOrJoinLobby() first',
    })
  return { ...rest, party: { id: lobbyId, size: [size, Math.max(size, max)] } }
}
