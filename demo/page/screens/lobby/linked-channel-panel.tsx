/** Panel of the lobby screen: the first player links a lobby of the backend to a channel, chosen from two lists. */
import type { GuildChannel } from 'foyer-sdk'
import { useState } from 'preact/hooks'
import { ChannelLink } from './channel-link'
import { FailureCard } from '../../ui/failure-card'
import { Panel } from 'kit/panel'
import { offered, Select, type SelectChoice, SelectField } from 'kit/select-field'
import { useDemo } from '../../context/use-demo'

const INTRO =
  'The first player links a lobby to a channel of a guild. Only a lobby that the game’s backend created can be linked, by a member with the flag CanLinkLobby.'

export function LinkedChannelPanel() {
  const [slot] = useDemo().workbench.slots
  const [link] = useState(() => new ChannelLink(slot))
  const isSignedIn = slot.session.value !== null
  const error = link.failure.value
  return (
    <Panel id="channel" title="Linked channel" intro={INTRO}>
      <p class="empty" hidden={isSignedIn}>
        Sign the first player in to choose a channel.
      </p>
      <div class="channel-form" hidden={!isSignedIn}>
        <LobbyField link={link} />
        <ChannelFields link={link} />
      </div>
      <p class="hint" role="status">
        {link.doing.value ? `${link.doing.value} …` : resultOf(link)}
      </p>
      <div class="failure-slot" role="alert">
        {error !== undefined && <FailureCard error={error} />}
      </div>
    </Panel>
  )
}

function resultOf({ linked, invitation }: ChannelLink): string {
  if (!linked.value) return ''
  const words = `The lobby is linked to #${linked.value.name}.`
  return invitation.value ? `${words} Invitation, valid once: ${invitation.value}` : words
}

function LobbyField({ link }: { link: ChannelLink }) {
  const { faultControls } = useDemo()
  const controls = faultControls()
  const create = () => link.create(async (userId) => (await controls?.createLobby(userId)) ?? '')
  return (
    <div class="field">
      <label for="link-lobby">Lobby of the backend</label>
      <div class="inline wraps">
        <input
          id="link-lobby"
          inputmode="numeric"
          autocomplete="off"
          value={link.lobbyId.value}
          onInput={({ currentTarget }) => (link.lobbyId.value = currentTarget.value.trim())}
        />
        <button type="button" class="secondary" hidden={!controls} onClick={() => void create()}>
          Create one
        </button>
      </div>
    </div>
  )
}

function ChannelFields({ link }: { link: ChannelLink }) {
  const [wanted, setWanted] = useState('')
  const channels = link.channels.value.map(toChoice)
  const channel = offered(channels, wanted)
  return (
    <>
      <GuildField link={link} />
      <SelectField
        id="link-channel"
        label="Channel"
        choices={channels}
        value={channel}
        disabled={channels.length === 0}
        onChange={setWanted}
      />
      <LinkButtons link={link} channel={channel} />
    </>
  )
}

function toChoice({ id, name, isLinkable }: GuildChannel): SelectChoice {
  return { value: id, label: isLinkable ? name : `${name} (cannot be linked)`, disabled: !isLinkable }
}

function GuildField({ link }: { link: ChannelLink }) {
  const [guild, setGuild] = useState('')
  const guilds = link.guilds.value.map(({ id, name }) => ({ value: id, label: name }))
  const choose = (id: string) => {
    setGuild(id)
    void link.loadChannels(id)
  }
  /** The channels of the first guild are loaded with the guilds. */
  const load = () => {
    setGuild('')
    void link.loadGuilds()
  }
  return (
    <div class="field">
      <label for="link-guild">Guild</label>
      <div class="inline wraps">
        <Select
          id="link-guild"
          choices={guilds}
          value={offered(guilds, guild)}
          disabled={guilds.length === 0}
          onChange={choose}
        />
        <button type="button" class="secondary" onClick={load}>
          Load the guilds
        </button>
      </div>
    </div>
  )
}

function LinkButtons({ link, channel }: { link: ChannelLink; channel: string }) {
  const isLinked = link.linked.value !== undefined
  return (
    <div class="buttons">
      <button
        type="button"
        class="secondary"
        disabled={channel === '' || link.lobbyId.value === ''}
        onClick={() => void link.link(channel)}
      >
        Link
      </button>
      <button type="button" class="secondary" disabled={!isLinked} onClick={() => void link.unlink()}>
        Unlink
      </button>
      <button type="button" class="secondary" disabled={!isLinked} onClick={() => void link.invite()}>
        Invitation to the guild
      </button>
    </div>
  )
}
