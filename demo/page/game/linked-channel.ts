/** Link between a lobby of the backend and a channel that the player chooses: guilds, channels, and the result. */
import type { Client, Guild, GuildChannel, LinkedChannel } from 'foyer-sdk'
import { Store } from '../observable'
import type { PlayerSlot } from './lobby-player'

export class ChannelLink {
  readonly lobbyId = new Store('')
  readonly guilds = new Store<readonly Guild[]>([])
  readonly channels = new Store<readonly GuildChannel[]>([])
  /** Channel that the lobby is linked to, if this page has linked it. */
  readonly linked = new Store<LinkedChannel | undefined>(undefined)
  /** Address of the last invitation. */
  readonly invitation = new Store('')
  readonly failure = new Store<unknown>(undefined)
  /** Label of the running action; empty if none runs. */
  readonly doing = new Store('')
  readonly #slot: PlayerSlot

  /** Follows the player of the slot: another one has other guilds. */
  constructor(slot: PlayerSlot) {
    this.#slot = slot
    let player: string | undefined
    slot.session.watch((session) => {
      if (session?.userId !== player) this.#clear()
      player = session?.userId
    })
  }

  /** Has the backend create a lobby that the player may link. */
  create(createLobby: (userId: string) => Promise<string>): Promise<void> {
    return this.#do('Creating a lobby', async () => {
      const lobbyId = await createLobby(this.#slot.session.value?.userId ?? '')
      this.linked.set(undefined)
      this.invitation.set('')
      this.lobbyId.set(lobbyId)
    })
  }

  loadGuilds(): Promise<void> {
    return this.#do('Loading the guilds', async (client) => {
      const guilds = await client.getUserGuilds()
      this.guilds.set(guilds)
      this.channels.set(guilds[0] ? await client.getGuildChannels(guilds[0].id) : [])
    })
  }

  loadChannels(guildId: string): Promise<void> {
    return this.#do('Loading the channels', async (client) => this.channels.set(await client.getGuildChannels(guildId)))
  }

  link(channelId: string): Promise<void> {
    return this.#do('Linking', async (client) => {
      this.linked.set((await client.linkChannelToLobby(this.lobbyId.value, channelId)).linkedChannel)
    })
  }

  unlink(): Promise<void> {
    return this.#do('Unlinking', async (client) => {
      this.linked.set((await client.unlinkChannelFromLobby(this.lobbyId.value)).linkedChannel)
      this.invitation.set('')
    })
  }

  invite(): Promise<void> {
    return this.#do('Creating an invitation', async (client) => {
      this.invitation.set((await client.joinLinkedLobbyGuild(this.lobbyId.value)).url)
    })
  }

  async #do(words: string, work: (client: Client) => Promise<unknown>): Promise<void> {
    const { client } = this.#slot
    if (!client) return
    this.doing.set(words)
    this.failure.set(undefined)
    try {
      await work(client)
    } catch (error) {
      if (client === this.#slot.client) this.failure.set(error)
    } finally {
      this.doing.set('')
    }
  }

  #clear(): void {
    for (const list of [this.guilds, this.channels]) list.set([])
    this.linked.set(undefined)
    this.lobbyId.set('')
    this.invitation.set('')
    this.failure.set(undefined)
  }
}
