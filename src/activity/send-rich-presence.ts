/** Sends the rich presence, and keeps the size of its party equal to the lobby's. */
import { ConfigurationError } from '../foundation/errors'
import type { ActivityHostCommands, HostCallOptions } from './host-commands'
import type { HostPresence } from './host-types'

/** Rich presence of the player, with a party that may follow a lobby. */
export interface ActivityPresence extends Omit<HostPresence, 'party'> {
  /** The group: an id with sizes, or a lobby of the player with its maximum size. */
  readonly party?:
    { readonly id: string; readonly size?: readonly [current: number, max: number] } | { readonly lobbyId: string; readonly max: number }
}

/** Lobby, as far as a party needs it. */
export interface PartyLobby {
  readonly id: string
  readonly members: readonly unknown[]
}

/** Services of the client for the presence. */
export interface PresenceSource {
  /** Lobby in the client's cache. */
  lobby: (id: string) => PartyLobby | undefined
  /** Calls the listener when a lobby changes or ends; returns a function that ends this. */
  onLobbies: (listener: (change: { id: string; ended: boolean }) => void) => () => void
  /** Access token of the session. */
  accessToken: () => Promise<string>
  /** Reports a presence that could not be updated. */
  onFailure: (error: unknown) => void
}

export class PresenceSender {
  readonly #source: PresenceSource
  readonly #commands: ActivityHostCommands
  #end: (() => void) | undefined
  /** Token that the host has. */
  #given: string | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(source: PresenceSource, commands: ActivityHostCommands) {
    this.#source = source
    this.#commands = commands
  }

  /** Calls are sent one at a time, in order. */
  async set(presence: ActivityPresence | null, options?: HostCallOptions): Promise<void> {
    this.#end?.()
    this.#end = undefined
    const activity = presence && toHostPresence(presence, this.#source)
    const lobbyId = presence?.party && 'lobbyId' in presence.party ? presence.party.lobbyId : undefined
    if (presence && lobbyId !== undefined) this.#end = this.#follow(presence, lobbyId)
    await this.#send(activity, options)
  }

  #follow(presence: ActivityPresence, lobbyId: string): () => void {
    return this.#source.onLobbies(({ id, ended }) => {
      if (id !== lobbyId) return
      if (ended) this.#end?.()
      const next = ended ? null : toHostPresence(presence, this.#source)
      this.#send(next).catch((error: unknown) => this.#source.onFailure(error))
    })
  }

  #send(activity: HostPresence | null, options?: HostCallOptions): Promise<void> {
    const send = async () => {
      const token = await this.#source.accessToken()
      if (token !== this.#given) await this.#commands.authenticate({ accessToken: token }, options)
      this.#given = token
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
