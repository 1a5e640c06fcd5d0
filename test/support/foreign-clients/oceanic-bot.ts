/** A bot of oceanic.js, unchanged but for the address of the API. */
import { COMMANDS, EPHEMERAL, FILE, FORM, fruitsFor, summaryOf, type StartBot } from './bot-commands'
import {
  Client,
  type AnyInteractionGateway,
  type CommandInteraction,
  type ComponentInteraction,
  type CreateApplicationCommandOptions,
  type MessageActionRow,
  type ModalData,
} from 'oceanic.js'

export const startOceanicBot: StartBot = async ({ url, application }) => {
  const bot = new Client({
    auth: `Bot ${application.botToken}`,
    rest: { baseURL: `${url}/api/v10` },
    gateway: { intents: ['GUILDS'] },
  })
  const failed: unknown[] = []
  bot.on('error', (error) => failed.push(error))
  bot.on('interactionCreate', (interaction) => {
    answer(interaction).catch((error: unknown) => failed.push(error))
  })
  const ready = new Promise<void>((resolve) => bot.once('ready', resolve))
  await bot.connect()
  await ready
  await bot.application.bulkEditGlobalCommands(COMMANDS as unknown as CreateApplicationCommandOptions[])
  return {
    stop: async () => {
      bot.disconnect(false)
      if (failed.length > 0) throw failed[0]
    },
  }
}

/** The library writes the names of fields in its own way. */
const MENUS: MessageActionRow[] = [
  { type: 1, components: [{ type: 2, style: 1, label: 'Press', customID: 'press' }] },
  {
    type: 1,
    components: [
      {
        type: 3,
        customID: 'colour',
        options: [
          { label: 'Red', value: 'red' },
          { label: 'Blue', value: 'blue' },
        ],
      },
    ],
  },
  { type: 1, components: [{ type: 5, customID: 'who' }] },
]

const MODAL: ModalData = {
  title: FORM.title,
  customID: FORM.custom_id,
  components: [
    { type: 1, components: [{ type: 4, customID: 'name', label: 'Name', style: 1, required: true }] },
  ],
}

async function answer(interaction: AnyInteractionGateway): Promise<unknown> {
  if (interaction.isAutocompleteInteraction())
    return interaction.result(fruitsFor(String(interaction.data.options.getFocused(true).value)))
  if (interaction.isModalSubmitInteraction())
    return interaction.createMessage({
      content: `named ${interaction.data.components.getTextInput('name', true)}`,
    })
  if (interaction.isComponentInteraction()) return choose(interaction)
  return interaction.isCommandInteraction() ? run(interaction) : undefined
}

async function choose(interaction: ComponentInteraction): Promise<unknown> {
  if (!('values' in interaction.data)) return interaction.editParent({ content: 'pressed', components: [] })
  const { values } = interaction.data
  if (interaction.data.customID === 'colour')
    return interaction.createMessage({ content: `chose ${values.getStrings().join()}`, flags: EPHEMERAL })
  await interaction.deferUpdate()
  const [user] = values.getUsers(true)
  return interaction.editOriginal({ content: `chose ${user?.username}`, components: [] })
}

async function run(interaction: CommandInteraction): Promise<unknown> {
  const { data } = interaction
  const { options, target } = data
  switch (data.name) {
    case 'all': {
      const someone = options.getMentionable('someone', true)
      const values = [
        options.getString('text'),
        options.getInteger('whole'),
        options.getBoolean('yes'),
        options.getUser('user')?.username,
        options.getChannel('channel')?.name,
        options.getRole('role')?.name,
        'username' in someone ? someone.username : 'another',
        options.getNumber('part'),
        options.getAttachment('file')?.filename,
      ]
      return interaction.createMessage(summaryOf(values))
    }
    case 'find':
      return interaction.createMessage(`found ${options.getString('fruit')}`)
    case 'form':
      return interaction.createModal(MODAL)
    case 'menu':
      return interaction.createMessage({ content: 'choose', components: MENUS })
    case 'slow':
      await interaction.defer()
      await interaction.editOriginal('done')
      return interaction.createFollowup({ content: 'and more', flags: EPHEMERAL })
    case 'send':
      return interaction.createMessage({ files: [{ name: FILE.name, contents: Buffer.from(FILE.text) }] })
    case 'deep':
      return interaction.createMessage(`${options.getSubCommand(true).join()} ${options.getString('text')}`)
    case 'Poke':
      return interaction.createMessage(`poked ${target && 'username' in target ? target.username : ''}`)
    case 'Quote':
      return interaction.createMessage(`quoted ${target && 'content' in target ? target.content : ''}`)
    default:
      return undefined
  }
}
