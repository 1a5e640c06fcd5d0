/** A bot of @discordjs/core and @discordjs/ws, unchanged but for the address of the API. */
import { COMMANDS, EPHEMERAL, FILE, FORM, fruitsFor, MENUS, summaryOf, type StartBot } from './bot-commands'
import {
  Client,
  GatewayDispatchEvents,
  InteractionType,
  type API,
  type APIInteraction,
} from '@discordjs/core'
import { REST } from '@discordjs/rest'
import { CompressionMethod, WebSocketManager } from '@discordjs/ws'

/** Asks for compression, which the emulator does not use. */
export const startCoreBot: StartBot = async ({ url, application }) => {
  const rest = new REST({ version: '10', api: `${url}/api` }).setToken(application.botToken)
  const gateway = new WebSocketManager({
    token: application.botToken,
    intents: 0,
    rest,
    compression: CompressionMethod.ZlibNative,
  })
  const client = new Client({ rest, gateway })
  const failed: unknown[] = []
  client.on(GatewayDispatchEvents.InteractionCreate, ({ data, api }) => {
    answer(data, api).catch((error: unknown) => failed.push(error))
  })
  const ready = new Promise((resolve) => client.once(GatewayDispatchEvents.Ready, resolve))
  await gateway.connect()
  await ready
  await client.api.applicationCommands.bulkOverwriteGlobalCommands(application.id, COMMANDS)
  return {
    stop: async () => {
      await gateway.destroy()
      if (failed.length > 0) throw failed[0]
    },
  }
}

/** The fields of an interaction's data that the answers need. */
interface Given {
  name?: string
  type?: number
  custom_id?: string
  values?: string[]
  target_id?: string
  options?: { name: string; value?: unknown; options?: { name: string; value?: unknown }[] }[]
  components?: { components?: { value?: string }[] }[]
  resolved?: Record<
    string,
    Record<string, { username?: string; name?: string; filename?: string; content?: string }>
  >
}

async function answer(interaction: APIInteraction, { interactions }: API): Promise<unknown> {
  const { id, token, application_id: application, type } = interaction
  const data = ((interaction as { data?: unknown }).data ?? {}) as Given
  const value = (name: string) => data.options?.find((option) => option.name === name)?.value
  const resolved = (kind: string, key: unknown) => data.resolved?.[kind]?.[String(key)]
  const reply = (content: string, more: object = {}) => interactions.reply(id, token, { content, ...more })
  if (type === InteractionType.ApplicationCommandAutocomplete)
    return interactions.createAutocompleteResponse(id, token, { choices: fruitsFor(String(value('fruit'))) })
  if (type === InteractionType.ModalSubmit)
    return reply(`named ${data.components?.[0]?.components?.[0]?.value}`)
  switch (data.custom_id ?? data.name ?? '') {
    case 'all': {
      const of = (name: string, kind: string) => resolved(kind, value(name))
      return reply(
        summaryOf([
          value('text'),
          value('whole'),
          value('yes'),
          of('user', 'users')?.username,
          of('channel', 'channels')?.name,
          of('role', 'roles')?.name,
          of('someone', 'users')?.username,
          value('part'),
          of('file', 'attachments')?.filename,
        ]),
      )
    }
    case 'find':
      return reply(`found ${String(value('fruit'))}`)
    case 'form':
      return interactions.createModal(id, token, FORM)
    case 'menu':
      return interactions.reply(id, token, { content: 'choose', components: MENUS, with_response: true })
    case 'press':
      return interactions.updateMessage(id, token, { content: 'pressed', components: [] })
    case 'colour':
      return reply(`chose ${data.values?.join()}`, { flags: EPHEMERAL })
    case 'who':
      await interactions.deferMessageUpdate(id, token)
      return interactions.editReply(application, token, {
        content: `chose ${resolved('users', data.values?.[0])?.username}`,
        components: [],
      })
    case 'slow':
      await interactions.defer(id, token)
      await interactions.editReply(application, token, { content: 'done' })
      return interactions.followUp(application, token, { content: 'and more', flags: EPHEMERAL })
    case 'send':
      return interactions.reply(id, token, { files: [{ name: FILE.name, data: FILE.text }] })
    case 'deep':
      return reply(`${data.options?.[0]?.name} ${String(data.options?.[0]?.options?.[0]?.value)}`)
    case 'Poke':
      return reply(`poked ${resolved('users', data.target_id)?.username}`)
    case 'Quote':
      return reply(`quoted ${resolved('messages', data.target_id)?.content}`)
    default:
      return undefined
  }
}
