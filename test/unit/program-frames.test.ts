/** Frames and addresses of the service's program on a computer. */
import { describe, expect, test } from 'vitest'
import {
  addressesIn,
  encodeFrame,
  FrameReader,
  MAX_FRAME,
  socketFolders,
} from '../support/electron/internals'
import { frameOf } from '../support/public-program'

const PAYLOADS = [
  { cmd: 'DISPATCH', evt: 'READY', data: { name: 'Nelly ✓ 🎲' } },
  {},
  { a: ['x'.repeat(300)] },
]
const BYTES = Buffer.concat(PAYLOADS.map((payload) => frameOf(1, payload)))

const payloadsOf = (chunks: readonly Buffer[]): unknown[] => {
  const reader = new FrameReader()
  return chunks.flatMap((chunk) => reader.read(chunk)).map(({ payload }) => payload)
}

describe('frames', () => {
  test('are written as the public page describes them', () => {
    for (const payload of PAYLOADS) expect(encodeFrame(1, payload)).toEqual(frameOf(1, payload))
  })

  test('are read when they are cut in two at any byte', () => {
    for (let cut = 0; cut <= BYTES.length; cut++)
      expect(payloadsOf([BYTES.subarray(0, cut), BYTES.subarray(cut)])).toEqual(PAYLOADS)
  })

  test('are read byte by byte, and 20,000 in one piece', () => {
    expect(payloadsOf(Array.from(BYTES, (byte) => Buffer.from([byte])))).toEqual(PAYLOADS)
    const many = Buffer.concat(Array.from({ length: 20_000 }, () => frameOf(1, { a: 1 })))
    expect(payloadsOf([many])).toHaveLength(20_000)
  })

  test('of the longest length are read, and longer ones neither read nor written', () => {
    const longest = 'x'.repeat(MAX_FRAME - 2)
    expect(payloadsOf([frameOf(1, JSON.stringify(longest))])).toEqual([longest])
    expect(() => encodeFrame(1, `${longest}x`)).toThrow(
      expect.objectContaining({ code: 'malformed_response' }),
    )
    expect(() => payloadsOf([frameOf(1, JSON.stringify(`${longest}x`))])).toThrow(
      expect.objectContaining({ code: 'malformed_response' }),
    )
  })

  test('with text that is not JSON have no payload', () => {
    expect(payloadsOf([frameOf(1, '{"a":'), frameOf(1, '{}')])).toEqual([undefined, {}])
  })
})

describe('addresses of the program', () => {
  test('are ten names in each folder that the system names, then in /tmp', () => {
    const machine = {
      platform: 'linux',
      env: { XDG_RUNTIME_DIR: '/run/user/7', TMPDIR: '/var/tmp', TMP: '/run/user/7', TEMP: 'relative' },
    }
    expect(socketFolders(machine)).toEqual(['/run/user/7', '/var/tmp', '/tmp'])
    expect(socketFolders({ platform: 'darwin', env: {} })).toEqual(['/tmp'])
    const addresses = addressesIn('/run/user/7', 'service', machine)
    expect([addresses.length, addresses[0], addresses[9]]).toEqual([
      10,
      '/run/user/7/service-ipc-0',
      '/run/user/7/service-ipc-9',
    ])
  })

  test('are pipes on Windows, and of the emulator pipes of its own', () => {
    const machine = { platform: 'win32', env: {} }
    expect(addressesIn(undefined, 'service', machine)[9]).toBe('\\\\?\\pipe\\service-ipc-9')
    expect(addressesIn('/tmp/foyer-1', 'service', machine)[0]).toBe('\\\\?\\pipe\\foyer-1-service-ipc-0')
  })
})
