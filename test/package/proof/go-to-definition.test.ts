/** "Go to definition" of an editor leads from a game to the source of the installed package, in TypeScript's own server. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { pack, type PackedPackage } from '../../support/packed-package'

const SERVER = fileURLToPath(new URL('../../../node_modules/typescript/lib/tsserver.js', import.meta.url))

const GAME = `import { Client, lobbyStream } from 'foyer-sdk'
import { createSessionHandler } from 'foyer-sdk/server'

const client = new Client({ service: { host: 'https://service.example' } })
void client.signIn()
void client.createOrJoinLobby('moon').then((lobby) => lobby.send('Hello!'))
export const parts = [lobbyStream, createSessionHandler]
`

interface Reply {
  request_seq?: number
  body?: { file: string; start: { line: number } }[]
}

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

/** Asks where each name of a game is defined. Resolves with the file in the package, and the line there. */
async function definitionsOf(file: string, names: readonly string[]): Promise<string[][]> {
  const server = spawn(process.execPath, [SERVER, '--disableAutomaticTypingAcquisition'], {
    cwd: packed.project,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void server.kill())
  const send = (seq: number, command: string, args: object) =>
    server.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`)
  const lines = readFileSync(file, 'utf8').split('\n')
  send(0, 'open', { file })
  for (const [index, name] of names.entries()) {
    const line = lines.findIndex((text) => text.includes(`${name}(`) || text.includes(`[${name},`))
    const at = lines[line]?.lastIndexOf(name) ?? 0
    send(index + 1, 'definition', { file, line: line + 1, offset: at + 2 })
  }
  const found: string[][] = []
  for await (const line of createInterface(server.stdout)) {
    if (!line.startsWith('{')) continue
    const { request_seq: seq = 0, body }: Reply = JSON.parse(line)
    if (seq === 0) continue
    const [definition] = body ?? []
    const text = definition
      ? readFileSync(definition.file, 'utf8').split('\n')[definition.start.line - 1]
      : ''
    found[seq - 1] = [definition ? relative(packed.folder, definition.file) : 'none', text?.trim() ?? '']
    if (Object.keys(found).length === names.length) break
  }
  return found
}

test.each([
  ['game.mts', 'of a module'],
  ['game.cts', 'of a script with require'],
])('%s: calls, methods and functions %s are found in src', async (name) => {
  const file = join(packed.project, name)
  writeFileSync(join(packed.project, 'package.json'), '{}')
  writeFileSync(
    join(packed.project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { module: 'nodenext', strict: true } }),
  )
  writeFileSync(file, GAME)
  expect(await definitionsOf(file, ['signIn', 'createOrJoinLobby', 'send', 'Client', 'lobbyStream'])).toEqual(
    [
      ['src/client/sign-in/sign-in-client.ts', expect.stringMatching(/^signIn\(/)],
      ['src/client/core-client.ts', expect.stringMatching(/^createOrJoinLobby\(/)],
      ['src/client/lobbies/lobby.ts', expect.stringMatching(/^send\(/)],
      [expect.stringMatching(/^src\/client\/page\/client\.ts$/), expect.any(String)],
      ['src/client/page/lobby-stream.ts', expect.stringContaining('function lobbyStream(')],
    ],
  )
})
