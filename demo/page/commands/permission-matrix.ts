/** Table of the commands studio: members and commands of a guild of the emulator, with the reason of each answer. */
import { busy } from '../ui/busy-line'
import { h } from '../ui/create-element'
import { explainAccess, type GuildEntry, loadAccess, loadGuilds, type MemberAccess } from './command-permissions'

export interface PermissionMatrix {
  readonly element: HTMLElement
  /** Reads the emulator again, if the table is shown already. */
  refresh(): void
}

export function permissionMatrix(): PermissionMatrix {
  const status = h('p', { class: 'hint', role: 'status' })
  const place = h('div', { class: 'matrix', tabindex: 0, role: 'group', 'aria-label': 'Members and commands', hidden: true })
  const choice = placeChoice(() => void load())
  const load = () =>
    attempt(status, 'Reading the permissions…', async () => {
      place.hidden = true
      const members = await loadAccess(choice.guild.value, choice.channel.value)
      place.replaceChildren(table(members, (words) => (status.textContent = words)))
      place.hidden = false
      status.textContent = hintFor(members)
    })
  const open = () => attempt(status, 'Reading the guilds…', async () => choice.show(await loadGuilds()))
  const show = h('button', { type: 'button', class: 'secondary', onclick: () => void open() }, ['Show who may use them'])
  return {
    element: h('section', { 'aria-labelledby': 'matrix-title' }, [
      h('h3', { id: 'matrix-title' }, ['Permissions in a guild']),
      show,
      choice.element,
      status,
      place,
    ]),
    refresh: () => {
      if (!choice.element.hidden) void load()
    },
  }
}

/** Shows the reason of a failure in place of the progress. */
async function attempt(status: HTMLElement, words: string, work: () => Promise<void>): Promise<void> {
  status.replaceChildren(busy(words))
  try {
    await work()
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error)
  }
}

interface PlaceChoice {
  readonly element: HTMLElement
  readonly guild: HTMLSelectElement
  readonly channel: HTMLSelectElement
  /** Offers the guilds, and chooses the first channel of the first one. */
  show(guilds: readonly GuildEntry[]): void
}

function placeChoice(chosen: () => void): PlaceChoice {
  let known: readonly GuildEntry[] = []
  const guild = h('select', { id: 'matrix-guild', onchange: () => showChannels() })
  const channel = h('select', { id: 'matrix-channel', onchange: chosen })
  const element = h('div', { class: 'matrix-fields', hidden: true }, [field('Guild', guild), field('Channel', channel)])
  const showChannels = () => {
    const channels = known.find(({ id }) => id === guild.value)?.channels ?? []
    channel.replaceChildren(...channels.map(({ id, name }) => h('option', { value: id }, [name])))
    chosen()
  }
  const show = (guilds: readonly GuildEntry[]) => {
    known = guilds
    guild.replaceChildren(...guilds.map(({ id, name }) => h('option', { value: id }, [name])))
    element.hidden = false
    showChannels()
  }
  return { element, guild, channel, show }
}

function field(label: string, select: HTMLSelectElement): HTMLElement {
  return h('div', { class: 'field' }, [h('label', { for: select.id }, [label]), select])
}

function hintFor(members: readonly MemberAccess[]): string {
  if (members.every(({ commands }) => commands.length === 0)) return 'No command is registered for this guild: register yours first.'
  return 'Press an answer to see its reason.'
}

function table(members: readonly MemberAccess[], explain: (words: string) => void): HTMLElement {
  const commands = members[0]?.commands ?? []
  const head = h('tr', {}, [h('th', { scope: 'col' }, ['Command']), ...members.map(({ name }) => h('th', { scope: 'col' }, [name]))])
  const rows = commands.map(({ name }, index) =>
    h('tr', {}, [h('th', { scope: 'row' }, [h('code', {}, [name])]), ...members.map((member) => cell(member, index, explain))]),
  )
  return h('table', {}, [h('thead', {}, [head]), h('tbody', {}, rows)])
}

function cell(member: MemberAccess, index: number, explain: (words: string) => void): HTMLElement {
  const command = member.commands[index]
  if (!command) return h('td')
  const words = explainAccess(member, command)
  const isAllowed = command.because === undefined
  const answer = h(
    'button',
    { type: 'button', class: isAllowed ? 'answer answer-yes' : 'answer answer-no', 'aria-label': words, onclick: () => explain(words) },
    [isAllowed ? 'yes' : 'no'],
  )
  return h('td', {}, [answer])
}
