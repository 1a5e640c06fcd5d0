/** Frames that no game sends, at the emulator's socket of the service's program: it answers the next game as before. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createEmulator } from 'foyer-emulator'
import { expect, onTestFinished, test } from 'vitest'
import { frameOf } from '../support/public-program'

const [HANDSHAKE, FRAME, CLOSE, PING, PONG] = [0, 1, 2, 3, 4]

async function startProgram() {
  const emulator = await createEmulator()
  onTestFinished(() => emulator.close())
  const program = await emulator.localProgram({ as: 'ada' })
  const open = async () => {
    const socket = connect(join(program.folder, 'service-ipc-0'))
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { emulator, open, greeting: frameOf(HANDSHAKE, { v: 1, client_id: emulator.application.id }) }
}

/** Opcodes of the frames that arrive, until a PONG. */
function answersOf(socket: Socket): Promise<number[]> {
  let bytes = Buffer.alloc(0)
  const opcodes: number[] = []
  return new Promise((resolve) => {
    socket.on('close', () => resolve(opcodes))
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 8 && bytes.length >= 8 + bytes.readUInt32LE(4)) {
        opcodes.push(bytes.readUInt32LE(0))
        bytes = bytes.subarray(8 + bytes.readUInt32LE(4))
      }
      if (opcodes.includes(PONG)) resolve(opcodes)
    })
  })
}

const command = (cmd: unknown, args: unknown, evt?: unknown) => frameOf(FRAME, { cmd, args, evt, nonce: 'n' })
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

test.each([
  ['no JSON', frameOf(FRAME, '{"cmd":')],
  ['nothing', frameOf(FRAME, '')],
  ['a list', frameOf(FRAME, [])],
  ['a number', frameOf(FRAME, '7')],
  ['deep data', frameOf(FRAME, DEEP)],
  [
    'deep data as an activity',
    frameOf(FRAME, `{"cmd":"SET_ACTIVITY","nonce":"n","args":{"pid":1,"activity":{"party":${DEEP}}}}`),
  ],
  ['an unknown opcode', frameOf(77, {})],
  ['no command', frameOf(FRAME, { nonce: 'n' })],
  ['a command that is an object', command({}, {})],
  ['a prototype', command('__proto__', {})],
  ['arguments that are null', command('SET_ACTIVITY', null)],
  ['an activity that is a list', command('SET_ACTIVITY', { pid: 1, activity: [] })],
  [
    'an activity with a prototype',
    frameOf(
      FRAME,
      '{"cmd":"SET_ACTIVITY","nonce":"n","args":{"pid":1,"activity":{"__proto__":{"party":1}}}}',
    ),
  ],
  [
    'parts that are no objects',
    command('SET_ACTIVITY', {
      pid: 1,
      activity: { party: 1, secrets: 'x', assets: null, timestamps: [], buttons: {} },
    }),
  ],
  [
    'secrets that are no texts',
    command('SET_ACTIVITY', { pid: 1, activity: { secrets: { join: {} }, party: { id: [], size: 'x' } } }),
  ],
  ['a pid that is a text', command('SET_ACTIVITY', { pid: '1', activity: {} })],
  ['a token that is no text', command('AUTHENTICATE', { access_token: {} })],
  ['an unknown event', command('SUBSCRIBE', {}, '__proto__')],
  ['an answer to nobody', command('SEND_ACTIVITY_JOIN_INVITE', { user_id: {} })],
  ['an answer to itself', command('SEND_ACTIVITY_JOIN_INVITE', { user_id: '175928847299117063' })],
])('a game that sends %s is spoken to as before, and so is the next one', async (_, frame) => {
  const { open, greeting } = await startProgram()
  const socket = await open()
  const answers = answersOf(socket)
  socket.write(Buffer.concat([greeting, frame, frameOf(PING, {})]))
  expect(await answers).toContain(PONG)
  const next = await open()
  const others = answersOf(next)
  for (const byte of Buffer.concat([greeting, frameOf(PING, {})])) next.write(Buffer.of(byte))
  expect(await others).toEqual([FRAME, PONG])
})

test('a frame of 2 GiB, a command before the handshake and a closing frame harm no other game', async () => {
  const { open, greeting } = await startProgram()
  const huge = Buffer.alloc(8)
  huge.writeUInt32LE(FRAME, 0)
  huge.writeUInt32LE(2 ** 31, 4)
  const [first, second, third, good] = [await open(), await open(), await open(), await open()]
  const answers = [answersOf(first), answersOf(second), answersOf(third), answersOf(good)]
  first.write(Buffer.concat([greeting, huge]))
  second.write(Buffer.concat([command('SET_ACTIVITY', { pid: 1, activity: {} }), frameOf(PING, {})]))
  third.write(Buffer.concat([greeting, frameOf(CLOSE, {})]))
  good.write(Buffer.concat([greeting, frameOf(PING, {})]))
  expect(await Promise.all(answers)).toEqual([[CLOSE], [FRAME, PONG], [FRAME], [FRAME, PONG]])
})
