/** The examples of buttons, selects, forms and files in docs/interactions.md, run as printed and used by a player. */
import { compileFunction } from 'node:vm'
import { createEmulator, type Emulator, type Outcome } from 'foyer-emulator'
import * as server from 'foyer-sdk/server'
import ts from 'typescript'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Served, serveRequests } from '../../support/serve-requests'
import { modules, pages } from '../markdown-pages'

const BRUNO = '211842960158326785'
const ADA = { as: 'ada' }
const page = pages().find(({ path }) => path === 'docs/interactions.md')
const sections = (page?.text ?? '').split(/^## /m)

let emulator: Emulator
let backend: Served | undefined

beforeEach(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
})
afterEach(async () => {
  await backend?.close()
  backend = undefined
  await emulator.close()
})

/** Runs the example of a section, and registers the commands that it defines. */
async function start(heading: string): Promise<void> {
  const section = sections.find((one) => one.startsWith(`${heading}\n`)) ?? ''
  const [example] = modules({ path: heading, text: section }, 'ts')
  const { outputText } = ts.transpileModule(example?.text ?? '', {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const definitions: Parameters<server.ApplicationClient['commands']['global']['sync']>[0][number][] = []
  const defineCommand = (...given: Parameters<typeof server.defineCommand>) => {
    const command = server.defineCommand(...given)
    definitions.push(command.definition)
    return command
  }
  const exports: { handle?: server.InteractionHandler } = {}
  const process = { env: { FOYER_PUBLIC_KEY: emulator.application.publicKey } }
  const run = compileFunction(outputText, ['exports', 'require', 'process'])
  Reflect.apply(run, undefined, [exports, () => ({ ...server, defineCommand }), process])
  if (!exports.handle) throw new Error(`The example of ${heading} has no handler.`)
  backend = await serveRequests(exports.handle)
  await emulator.interactions.connect(backend.url)
  const { id: applicationId, botToken } = emulator.application
  const client = new server.ApplicationClient({
    applicationId,
    service: { host: emulator.url },
    credentials: server.botToken(botToken),
  })
  await client.commands.global.sync(definitions)
  client.close()
}

const press = ({ message }: Outcome, component: string, values?: string[]) =>
  emulator.interactions.press({ ...ADA, message: message?.id ?? '', component, ...(values && { values }) })

test('a button edits its message', async () => {
  await start('Buttons')
  const shown = await emulator.interactions.use({ ...ADA, command: 'party' })
  expect(await press(shown, 'join')).toMatchObject({
    kind: 'updated',
    message: { content: 'ada opens a party. ada joins.' },
  })
})

test('a select has the choice of the player', async () => {
  await start('Selects')
  const shown = await emulator.interactions.use({ ...ADA, command: 'map' })
  expect(await press(shown, 'map', ['moor'])).toMatchObject({
    kind: 'updated',
    message: { content: 'You play on the moor.', components: [] },
  })
})

test('a form has a value for each field', async () => {
  await start('Forms')
  const { modal } = await emulator.interactions.use({ ...ADA, command: 'report' })
  const values = { whom: [BRUNO], answer: true }
  const outcome = await emulator.interactions.submit({ ...ADA, modal: modal?.id ?? '', values })
  expect(outcome).toMatchObject({
    kind: 'message',
    message: { content: 'bruno: no details. You will hear from us.', flags: 64 },
  })
})

test('a file arrives, and another one is sent', async () => {
  await start('Files')
  const game = {
    filename: 'game.txt',
    content_type: 'text/plain',
    data: Buffer.from('e4\ne5').toString('base64'),
  }
  const { message } = await emulator.interactions.use({
    ...ADA,
    command: 'replay',
    options: [{ name: 'game', value: game }],
  })
  expect(message).toMatchObject({
    content: 'game.txt has 2 moves.',
    attachments: [{ filename: 'numbered.txt' }],
  })
  const [sent] = (message?.attachments ?? []) as { url: string }[]
  expect(await (await fetch(sent?.url ?? '')).text()).toBe('1. e4\n2. e5')
})
