/** Panel of the lobby screen: the first player links a lobby of the backend to a channel, chosen from two lists. */
import type { Mount } from '../panel-context'
import { ChannelLink } from '../game/linked-channel'
import { h } from '../ui/create-element'
import { failureCard } from '../ui/error-card'
import { panel } from '../ui/panel'

export const mountLinkedChannel: Mount = (element, context) => {
  const [slot] = context.workbench.slots
  const link = new ChannelLink(slot)
  const { body } = panel(element, 'Linked channel', [
    'The first player links a lobby to a channel of a guild. Only a lobby that the game’s backend created can be linked, by a member with the flag CanLinkLobby.',
  ])
  const empty = h('p', { class: 'empty' }, ['Sign the first player in to choose a channel.'])
  const form = h('div', { class: 'channel-form' }, [lobbyField(link, context), ...channelFields(link)])
  const status = h('p', { class: 'hint', role: 'status' })
  const failure = h('div', { class: 'failure-slot', role: 'alert' })
  body.append(empty, form, status, failure)
  slot.session.subscribe((session) => {
    empty.hidden = session !== null
    form.hidden = session === null
  })
  const report = () => (status.textContent = link.doing.value ? `${link.doing.value} …` : resultOf(link))
  for (const store of [link.doing, link.invitation]) store.subscribe(report)
  link.linked.subscribe(report)
  link.failure.subscribe((error) => failure.replaceChildren(...(error === undefined ? [] : [failureCard(error)])))
}

function resultOf({ linked, invitation }: ChannelLink): string {
  if (!linked.value) return ''
  const words = `The lobby is linked to #${linked.value.name}.`
  return invitation.value ? `${words} Invitation, valid once: ${invitation.value}` : words
}

function lobbyField(link: ChannelLink, { faultControls, service }: Parameters<Mount>[1]): HTMLElement {
  const input = h('input', {
    id: 'link-lobby',
    inputmode: 'numeric',
    autocomplete: 'off',
    oninput: () => (link.lobbyId.value = input.value.trim()),
  })
  const create = h(
    'button',
    {
      type: 'button',
      class: 'secondary',
      onclick: () => void link.create(async (userId) => (await faultControls()?.createLobby(userId)) ?? ''),
    },
    ['Create one'],
  )
  link.lobbyId.subscribe((id) => {
    if (input.value.trim() !== id) input.value = id
  })
  service.subscribe(() => (create.hidden = faultControls() === undefined))
  return h('div', { class: 'field' }, [
    h('label', { for: 'link-lobby' }, ['Lobby of the backend']),
    h('div', { class: 'inline' }, [input, create]),
  ])
}

function channelFields(link: ChannelLink): HTMLElement[] {
  const guild = h('select', { id: 'link-guild', onchange: () => void link.loadChannels(guild.value) })
  const channel = h('select', { id: 'link-channel' })
  const [connect, unlink, invite] = [
    actionButton('Link', () => link.link(channel.value)),
    actionButton('Unlink', () => link.unlink()),
    actionButton('Invitation to the guild', () => link.invite()),
  ]
  link.guilds.subscribe((guilds) => guild.replaceChildren(...guilds.map(({ id, name }) => h('option', { value: id }, [name]))))
  link.channels.subscribe((channels) => {
    const options = channels.map(({ id, name, isLinkable }) =>
      h('option', { value: id, disabled: !isLinkable }, [isLinkable ? name : `${name} (cannot be linked)`]),
    )
    channel.replaceChildren(...options)
    channel.value = channels.find(({ isLinkable }) => isLinkable)?.id ?? ''
  })
  const update = () => {
    for (const select of [guild, channel]) select.disabled = select.options.length === 0
    connect.disabled = channel.value === '' || link.lobbyId.value === ''
    unlink.disabled = invite.disabled = link.linked.value === undefined
  }
  for (const store of [link.guilds, link.channels]) store.subscribe(update)
  link.lobbyId.subscribe(update)
  link.linked.subscribe(update)
  return [
    h('div', { class: 'field' }, [
      h('label', { for: 'link-guild' }, ['Guild']),
      h('div', { class: 'inline' }, [guild, actionButton('Load the guilds', () => link.loadGuilds())]),
    ]),
    h('div', { class: 'field' }, [h('label', { for: 'link-channel' }, ['Channel']), channel]),
    h('div', { class: 'buttons' }, [connect, unlink, invite]),
  ]
}

function actionButton(label: string, run: () => unknown): HTMLButtonElement {
  return h('button', { type: 'button', class: 'secondary', onclick: () => void run() }, [label])
}
