/** Bots of slash-create, unchanged but for the address of the API: one by the gateway, one by HTTP. */
import {
  COMMANDS,
  EPHEMERAL,
  FILE,
  FORM,
  fruitsFor,
  MENUS,
  summaryOf,
  type Bot,
  type StartBot,
} from './bot-commands'
import { REST } from '@discordjs/rest'
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import { GatewayDispatchEvents } from 'discord-api-types/v10'
import fastify from 'fastify'
import type { Emulator } from 'foyer-emulator'
import type { AddressInfo } from 'node:net'
import {
  FastifyServer,
  GatewayServer,
  SlashCommand,
  SlashCreator,
  type AutocompleteContext,
  type CommandContext,
  type ComponentContext,
} from 'slash-create'

/** Interactions come from another library's socket, as its manual recommends. */
export const startSlashCreateGatewayBot: StartBot = async (emulator) => {
  const { url, application } = emulator
  const rest = new REST({ version: '10', api: `${url}/api` }).setToken(application.botToken)
  const socket = new WebSocketManager({ token: application.botToken, intents: 0, rest })
  const { creator, failed } = createCreator(emulator)
  creator.withServer(
    new GatewayServer((handle) =>
      socket.on(WebSocketShardEvents.Dispatch, ({ t, d }) => {
        if (t === GatewayDispatchEvents.InteractionCreate) handle(d as never)
      }),
    ),
  )
  const ready = new Promise((resolve) => socket.once(WebSocketShardEvents.Ready, resolve))
  await socket.connect()
  await ready
  await creator.syncCommands()
  return botOf(failed, async () => socket.destroy())
}

/** Interactions come to an endpoint, which verifies their signatures. */
export const startSlashCreateHttpBot: StartBot = async (emulator) => {
  const app = fastify()
  const { creator, failed } = createCreator(emulator)
  creator.withServer(new FastifyServer(app, { alreadyListening: true }))
  await creator.startServer()
  await app.listen({ port: 0, host: '127.0.0.1' })
  await creator.syncCommands()
  const { port } = app.server.address() as AddressInfo
  await emulator.interactions.connect(`http://127.0.0.1:${port}/interactions`)
  return botOf(failed, () => app.close())
}

function botOf(failed: readonly Error[], end: () => Promise<unknown>): Bot {
  return {
    stop: async () => {
      await end()
      if (failed[0] !== undefined) throw failed[0]
    },
  }
}

function createCreator({ url, application }: Emulator): { creator: SlashCreator; failed: Error[] } {
  const failed: Error[] = []
  const creator = new SlashCreator({
    applicationID: application.id,
    publicKey: application.publicKey,
    token: application.botToken,
    rest: { baseURL: `${url}/api/v10` },
  })
  creator.on('error', (error) => failed.push(error))
  creator.on('commandError', (_command, error) => failed.push(error))
  creator.on('componentInteraction', (context) => {
    choose(context).catch((error: Error) => failed.push(error))
  })
  creator.on('modalInteraction', (context) => {
    context.send(`named ${String(context.values['name'])}`).catch((error: Error) => failed.push(error))
  })
  for (const definition of COMMANDS) creator.registerCommand(new BotCommand(creator, definition))
  return { creator, failed }
}

class BotCommand extends SlashCommand {
  override async autocomplete(context: AutocompleteContext): Promise<void> {
    await context.sendResults(fruitsFor(String(context.options[context.focused])))
  }

  /** The library would send what this resolves with. */
  override async run(context: CommandContext): Promise<void> {
    await this.#answer(context)
  }

  #answer(context: CommandContext): Promise<unknown> {
    const { options, data } = context
    switch (this.commandName) {
      case 'all': {
        const values = [
          options['text'],
          options['whole'],
          options['yes'],
          context.users.get(String(options['user']))?.username,
          context.channels.get(String(options['channel']))?.name,
          context.roles.get(String(options['role']))?.name,
          context.users.get(String(options['someone']))?.username,
          options['part'],
          context.attachments.get(String(options['file']))?.filename,
        ]
        return context.send(summaryOf(values))
      }
      case 'find':
        return context.send(`found ${String(options['fruit'])}`)
      case 'form':
        return context.sendModal(FORM)
      case 'menu':
        return context.send({ content: 'choose', components: MENUS })
      case 'slow':
        return answerLater(context)
      case 'send':
        return context.send({ files: [{ name: FILE.name, file: Buffer.from(FILE.text) }] })
      case 'deep':
        return context.send(`${context.subcommands.join()} ${String(options['down'].text)}`)
      case 'Poke':
        return context.send(`poked ${context.targetUser?.username}`)
      default:
        return context.send(`quoted ${context.targetMessage?.content ?? data.type}`)
    }
  }
}

async function answerLater(context: CommandContext): Promise<unknown> {
  await context.defer(true)
  await context.send('done')
  return context.sendFollowUp({ content: 'and more', flags: EPHEMERAL })
}

async function choose(context: ComponentContext): Promise<unknown> {
  if (context.customID === 'press') return context.editParent({ content: 'pressed', components: [] })
  if (context.customID === 'colour')
    return context.send({ content: `chose ${context.values.join()}`, flags: EPHEMERAL })
  await context.acknowledge()
  const user = context.users.get(context.values[0] ?? '')
  return context.editOriginal({ content: `chose ${user?.username}`, components: [] })
}
