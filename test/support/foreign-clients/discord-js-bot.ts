/** A bot of discord.js, unchanged but for the address of the API. */
import { COMMANDS, EPHEMERAL, FILE, FORM, fruitsFor, MENUS, summaryOf, type StartBot } from './bot-commands'
import {
  Client,
  Events,
  GatewayIntentBits,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
} from 'discord.js'

export const startDiscordJsBot: StartBot = async (emulator) => {
  const bot = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: `${emulator.url}/api` },
  })
  const failed: unknown[] = []
  bot.on(Events.Error, (error) => failed.push(error))
  bot.on(Events.InteractionCreate, (interaction) => {
    answer(interaction).catch((error: unknown) => failed.push(error))
  })
  const ready = new Promise<Client<true>>((resolve) => bot.once(Events.ClientReady, resolve))
  await bot.login(emulator.application.botToken)
  await (await ready).application.commands.set(COMMANDS)
  return {
    stop: async () => {
      await bot.destroy()
      if (failed.length > 0) throw failed[0]
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
    return interaction.reply(`named ${interaction.fields.getTextInputValue('name')}`)
  if (interaction.isButton()) return interaction.update({ content: 'pressed', components: [] })
  if (interaction.isStringSelectMenu())
    return interaction.reply({ content: `chose ${interaction.values.join()}`, flags: EPHEMERAL })
  if (interaction.isUserSelectMenu()) {
    await interaction.deferUpdate()
    return interaction.editReply({ content: `chose ${interaction.users.first()?.username}`, components: [] })
  }
  return undefined
}

function suggest(interaction: AutocompleteInteraction): Promise<unknown> {
  return interaction.respond(fruitsFor(interaction.options.getFocused()))
}

async function run(interaction: ChatInputCommandInteraction): Promise<unknown> {
  const { options } = interaction
  switch (interaction.commandName) {
    case 'all': {
      const [channel, role] = [options.getChannel('channel', true), options.getRole('role', true)]
      const someone = options.getMentionable('someone', true)
      const values = [
        options.getString('text'),
        options.getInteger('whole'),
        options.getBoolean('yes'),
        options.getUser('user')?.username,
        channel.name,
        role.name,
        'user' in someone ? someone.user.username : 'another',
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
    default:
      return undefined
  }
}
