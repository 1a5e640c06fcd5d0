/** Bots of discord.js, unchanged but for the address of the API: one by the gateway, one by HTTP. */
import { COMMANDS, EPHEMERAL, FILE, FORM, fruitsFor, MENUS, summaryOf, type StartBot } from './bot-commands'
import {
  Client,
  ComponentType,
  Events,
  GatewayIntentBits,
  Routes,
  type AnySelectMenuInteraction,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  type ModalSubmitInteraction,
} from 'discord.js'
import type { Emulator } from 'foyer-emulator'
import { serveBackend } from '../../emulator/support/backend'
import { FORMS } from '../screens/chat-parts'

/** Beside the commands of every bot: a menu of each further kind, and forms with every kind of field. */
const MORE_COMMANDS = [
  { name: 'pick', description: 'Sends the other menus' },
  { name: 'forms', description: 'Opens a form', options: [{ name: 'n', type: 4, description: 'Which' }] },
]
const MORE_MENUS = [
  [6, 'roles'],
  [7, 'anyone'],
  [8, 'channels'],
].map(([type, custom_id]) => ({ type: 1, components: [{ type, custom_id }] }))

function createBot(emulator: Emulator): { bot: Client; stop: () => Promise<void> } {
  const bot = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: `${emulator.url}/api` },
  })
  const failed: unknown[] = []
  bot.on(Events.Error, (error) => failed.push(error))
  bot.on(Events.InteractionCreate, (interaction) => {
    answer(interaction).catch((error: unknown) => failed.push(error))
  })
  const stop = async () => {
    await bot.destroy()
    if (failed.length > 0) throw failed[0]
  }
  return { bot, stop }
}

export const startDiscordJsBot: StartBot = async (emulator) => {
  const { bot, stop } = createBot(emulator)
  const ready = new Promise<Client<true>>((resolve) => bot.once(Events.ClientReady, resolve))
  await bot.login(emulator.application.botToken)
  await (await ready).application.commands.set([...COMMANDS, ...MORE_COMMANDS])
  return { stop }
}

/** Interactions come to an endpoint, which hands them to the library as its gateway does. The library answers by its REST client. */
export const startDiscordJsHttpBot: StartBot = async (emulator) => {
  const { bot, stop } = createBot(emulator)
  bot.rest.setToken(emulator.application.botToken)
  await bot.rest.put(Routes.applicationCommands(emulator.application.id), {
    body: [...COMMANDS, ...MORE_COMMANDS],
  })
  const { InteractionCreate } = Reflect.get(bot, 'actions') as {
    InteractionCreate: { handle: (interaction: unknown) => void }
  }
  const backend = await serveBackend(emulator, (interaction) => {
    InteractionCreate.handle(interaction)
    return { status: 202 }
  })
  await emulator.interactions.connect(backend.url)
  return {
    stop: async () => {
      await backend.close()
      await stop()
    },
  }
}

async function answer(interaction: Interaction): Promise<unknown> {
  if (interaction.isAutocomplete()) return suggest(interaction)
  if (interaction.isChatInputCommand()) return run(interaction)
  if (interaction.isUserContextMenuCommand())
    return interaction.reply(`poked ${interaction.targetUser.username}`)
  if (interaction.isMessageContextMenuCommand())
    return interaction.reply(`quoted ${interaction.targetMessage.content}`)
  if (interaction.isModalSubmit())
    return interaction.reply(
      interaction.customId === 'form'
        ? `named ${interaction.fields.getTextInputValue('name')}`
        : [...interaction.fields.fields.keys()].map((name) => entryOf(interaction, name)).join('; '),
    )
  if (interaction.isButton()) return interaction.update({ content: 'pressed', components: [] })
  if (interaction.isStringSelectMenu())
    return interaction.reply({ content: `chose ${interaction.values.join()}`, flags: EPHEMERAL })
  if (interaction.isUserSelectMenu()) {
    await interaction.deferUpdate()
    return interaction.editReply({ content: `chose ${interaction.users.first()?.username}`, components: [] })
  }
  if (interaction.isAnySelectMenu()) return interaction.reply(`picked ${chosenIn(interaction)}`)
  return undefined
}

const namesOf = (found: Iterable<object | null>): string =>
  [...found]
    .map((each): unknown => Reflect.get(each ?? {}, 'name') ?? Reflect.get(each ?? {}, 'username'))
    .join()

function chosenIn(menu: AnySelectMenuInteraction): string {
  if (menu.isRoleSelectMenu()) return namesOf(menu.roles.values())
  if (menu.isChannelSelectMenu()) return namesOf(menu.channels.values())
  if (menu.isMentionableSelectMenu()) return namesOf([...menu.users.values(), ...menu.roles.values()])
  return menu.values.join()
}

/** What a player has entered in a field of a form, by the function for its kind. */
function entryOf({ fields }: ModalSubmitInteraction, name: string): string {
  switch (fields.getField(name).type) {
    case ComponentType.TextInput:
      return fields.getTextInputValue(name)
    case ComponentType.StringSelect:
      return fields.getStringSelectValues(name).join()
    case ComponentType.UserSelect:
      return namesOf(fields.getSelectedUsers(name, true).values())
    case ComponentType.RoleSelect:
      return namesOf(fields.getSelectedRoles(name)?.values() ?? [])
    case ComponentType.MentionableSelect: {
      const { users = new Map(), roles = new Map() } = fields.getSelectedMentionables(name) ?? {}
      return namesOf([...users.values(), ...roles.values()])
    }
    case ComponentType.ChannelSelect:
      return namesOf(fields.getSelectedChannels(name, true).values())
    case ComponentType.FileUpload:
      return namesOf(fields.getUploadedFiles(name, true).values())
    case ComponentType.RadioGroup:
      return String(fields.getRadioGroup(name))
    case ComponentType.CheckboxGroup:
      return fields.getCheckboxGroup(name).join()
    case ComponentType.Checkbox:
      return String(fields.getCheckbox(name))
    default:
      return name
  }
}

function suggest(interaction: AutocompleteInteraction): Promise<unknown> {
  return interaction.respond(fruitsFor(interaction.options.getFocused()))
}

async function run(interaction: ChatInputCommandInteraction): Promise<unknown> {
  const { options } = interaction
  switch (interaction.commandName) {
    case 'all': {
      const [channel, role] = [options.getChannel('channel', true), options.getRole('role', true)]
      const values = [
        options.getString('text'),
        options.getInteger('whole'),
        options.getBoolean('yes'),
        options.getUser('user')?.username,
        channel.name,
        role.name,
        options.get('someone', true).user?.username,
        options.getNumber('part'),
        options.getAttachment('file')?.name,
      ]
      return interaction.reply(summaryOf(values))
    }
    case 'find':
      return interaction.reply(`found ${options.getString('fruit')}`)
    case 'form':
      return interaction.showModal(FORM)
    case 'menu':
      return interaction.reply({ content: 'choose', components: MENUS, withResponse: true })
    case 'slow':
      await interaction.deferReply()
      await interaction.editReply('done')
      return interaction.followUp({ content: 'and more', flags: EPHEMERAL })
    case 'send':
      return interaction.reply({ files: [{ name: FILE.name, attachment: Buffer.from(FILE.text) }] })
    case 'deep':
      return interaction.reply(`${options.getSubcommand()} ${options.getString('text')}`)
    case 'pick':
      return interaction.reply({ content: 'pick', components: MORE_MENUS })
    case 'forms':
      return interaction.showModal((FORMS[options.getInteger('n') ?? 0] ?? FORM) as never)
    default:
      return undefined
  }
}
