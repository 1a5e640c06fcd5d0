/** Link between a lobby of the backend and a channel that the player chooses: guilds, channels, and the result. */
import { batch, signal } from '@preact/signals'
import type { Client, Guild, GuildChannel, LinkedChannel, Lobby } from 'foyer-sdk'
import { addLobby } from '../../game/add-lobby'
import { ClientAction } from '../../game/client-action'
import type { PlayerSlot } from '../../game/player-slot'

export class ChannelLink {
  readonly lobbyId = signal('')
  readonly guilds = signal<readonly Guild[]>([])
  readonly channels = signal<readonly GuildChannel[]>([])
  /** Channel that the lobby is linked to, if this page has linked it. */
  readonly linked = signal<LinkedChannel | undefined>(undefined)
  /** Address of the last invitation. */
  readonly invitation = signal('')
  readonly #action = new ClientAction(() => this.#slot.client)
  readonly failure = this.#action.failure
  /** Label of the running action; empty if none runs. */
  readonly doing = this.#action.doing
  readonly #slot: PlayerSlot

  /** Follows the player of the slot: another one has other guilds. */
  constructor(slot: PlayerSlot) {
    this.#slot = slot
    let player: string | undefined
    slot.session.subscribe((session) => {
      if (session?.userId !== player) this.#clear()
      player = session?.userId
    })
  }

  /** Has the backend create a lobby that the player may link. */
  create(createLobby: (userId: string) => Promise<string>): Promise<void> {
    return this.#action.run('Creating a lobby', async () => {
      const lobbyId = await createLobby(this.#slot.session.value?.userId ?? '')
      this.linked.value = undefined
      this.invitation.value = ''
      this.lobbyId.value = lobbyId
    })
  }

  loadGuilds(): Promise<void> {
    return this.#action.run('Loading the guilds', async (client) => {
      const guilds = await client.lobbies.fetchGuilds()
      const channels = guilds[0] ? await client.lobbies.fetchGuildChannels(guilds[0].id) : []
      batch(() => {
        this.guilds.value = guilds
        this.channels.value = channels
      })
    })
  }

  loadChannels(guildId: string): Promise<void> {
    return this.#action.run(
      'Loading the channels',
      async (client) => (this.channels.value = await client.lobbies.fetchGuildChannels(guildId)),
    )
  }

  link(channelId: string): Promise<void> {
    return this.#action.run('Linking', async (client) => {
      const lobby = await this.#lobby(client)
      await lobby.link(channelId)
      this.linked.value = lobby.linkedChannel ?? undefined
    })
  }

  unlink(): Promise<void> {
    return this.#action.run('Unlinking', async (client) => {
      const lobby = await this.#lobby(client)
      await lobby.unlink()
      this.linked.value = lobby.linkedChannel ?? undefined
      this.invitation.value = ''
    })
  }

  invite(): Promise<void> {
    return this.#action.run('Creating an invitation', async (client) => {
      const lobby = await this.#lobby(client)
      this.invitation.value = (await lobby.createGuildInvite()).url
    })
  }

  async #lobby(client: Client): Promise<Lobby> {
    return client.lobbies.get(this.lobbyId.value) ?? addLobby(client, this.lobbyId.value)
  }

  #clear(): void {
    for (const list of [this.guilds, this.channels]) list.value = []
    this.linked.value = undefined
    this.lobbyId.value = ''
    this.invitation.value = ''
    this.failure.value = undefined
  }
}
