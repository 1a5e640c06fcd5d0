/** Every decided and every open case of lobbies, over HTTP: verdict and field. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type Case, type DecidedCase, isLobby, ofLobby, type OpenCase, read } from '../../cases/cases'
import { errorPaths } from '../commands/command-client.js'
import { Lobbies } from './lobby-client.js'

const decided: DecidedCase[] = JSON.parse(read('commands'))
const open: OpenCase[] = JSON.parse(read('ambiguous'))

let emulator: Emulator
let bot: Lobbies
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  bot = new Lobbies(emulator)
})
afterAll(() => emulator.close())

async function send({ endpoint, body, headers }: Case) {
  const [method = '', path = ''] = endpoint.split(' ')
  const needsLobby = path.includes('<lobby_id>')
  const at = path
    .replace('/lobbies', '')
    .replace('<lobby_id>', needsLobby ? await bot.create() : '')
    .replace('<user_id>', '2000')
  return new Lobbies(emulator, headers?.['authorization']).send(method, at, body)
}

describe('the decided lobby cases over HTTP', () => {
  const ours = decided.filter(isLobby).map(ofLobby)

  it('are 23, one of them about the token', () => {
    expect(ours).toHaveLength(23)
  })

  it.each(ours.map((one) => [`${one.id} ${one.expect}: ${one.why}`, one] as const))('%s', async (_, one) => {
    const { status, body, rule } = await send(one)
    const ofToken = one.path === '$headers.authorization'
    const verdict = status < 300 && rule === null ? 'accept' : `${status} reject`
    expect(verdict).toBe(one.expect === 'accept' ? 'accept' : ofToken ? '401 reject' : '400 reject')
    expect(errorPaths(body)).toEqual(one.path === null || ofToken ? [] : [one.path])
  })
})

describe('the open lobby cases over HTTP', () => {
  const ours = open.filter(isLobby).map(ofLobby)

  it('are 10', () => {
    expect(ours).toHaveLength(10)
  })

  it.each(ours.map((one) => [`${one.id} ${one.recommended}: ${one.open_question}`, one] as const))(
    '%s',
    async (_, one) => {
      const { status } = await send(one)
      expect(status).toBe(one.recommended === 'reject' ? 400 : one.endpoint.startsWith('POST') ? 201 : 200)
    },
  )
})
