/** A picture goes from the game into the chat: uploaded for the player, and shown in the host's dialog. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { clientSessions } from '../support/client-sessions'
import { emulatedHost } from '../support/emulated-host'
import { CoreClient, resolveOptions } from '../support/internals'
import { signIn } from './support/sign-in-client.js'

let emulator: Emulator
beforeEach(async () => {
  emulator = await createEmulator({ activityUrl: 'http://localhost:9/game/', activityPort: 0 })
})
afterEach(() => emulator.close())

const MIB = 1024 * 1024
const picture = (size = 4, type = 'image/png') => new Blob([new Uint8Array(size).fill(7)], { type })

async function connect() {
  const page = await emulatedHost(emulator, { as: 'ada' })
  page.reload()
  const options = resolveOptions(
    { applicationId: emulator.application.id, service: { host: emulator.url } },
    undefined,
    async () => undefined,
  )
  const client = new CoreClient({ ...options, launchQuery: page.query, loadSessions: clientSessions })
  onTestFinished(() => client.close())
  const { accessToken } = await signIn(emulator, 'ada', { scope: 'openid identify' })
  await client.updateToken(accessToken)
  return client.activity.connect()
}

const uploads = () => emulator.requests.filter(({ path }) => path.endsWith('/attachment'))

const shared = () => emulator.interactions.messages({ as: 'ada' }).at(-1)?.content

const send = async (file: Blob | undefined, token: string) => {
  const form = new FormData()
  if (file) form.set('file', file, 'a.png')
  return fetch(`${emulator.url}/api/v10/applications/${emulator.application.id}/attachment`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  })
}

describe('host.shareMoment', () => {
  it.each([
    ['a file', picture()],
    ['a canvas', { toBlob: (give: (blob: Blob | null) => void) => give(picture()) }],
  ])('uploads %s and opens the dialog with its address', async (_, moment) => {
    const host = await connect()
    await host.shareMoment(moment)
    expect(uploads().map(({ status }) => status)).toEqual([200])
    // The player sends it to the first channel of the dialog.
    await expect.poll(shared).toMatch(/^http:.+\/moment\.png$/)
    const served = await fetch(shared() ?? '')
    expect((await served.arrayBuffer()).byteLength).toBe(4)
  })

  it('rejects a canvas with pictures of other sites by a code of its own', async () => {
    const host = await connect()
    const tainted = {
      toBlob() {
        throw new DOMException('Tainted canvases may not be exported.', 'SecurityError')
      },
    }
    await expect(host.shareMoment(tainted)).rejects.toMatchObject({ code: 'tainted_canvas' })
    expect(uploads()).toEqual([])
  })

  it.each([
    ['more than 10 MiB', picture(10 * MIB + 1)],
    ['a file that is no picture', picture(4, 'text/html')],
    ['the address of a picture', 'https://game.example/a.png' as unknown as Blob],
    ['an empty canvas', { toBlob: (give: (blob: Blob | null) => void) => give(null) }],
  ])('refuses %s before it sends', async (_, moment) => {
    const host = await connect()
    await expect(host.shareMoment(moment)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(uploads()).toEqual([])
  })
})

describe('POST attachment', () => {
  it('serves the picture at the address that it answers with', async () => {
    const { accessToken: token } = await signIn(emulator, 'ada')
    const answer = await send(picture(3), token)
    const { attachment } = (await answer.json()) as { attachment: { url: string; size: number } }
    expect(attachment.size).toBe(3)
    const served = await fetch(attachment.url)
    expect([served.headers.get('content-type'), new Uint8Array(await served.arrayBuffer())]).toEqual([
      'image/png',
      new Uint8Array([7, 7, 7]),
    ])
  })

  it.each([
    ['no file', undefined, 400],
    ['a file that is no picture', picture(3, 'text/html'), 400],
    ['a file of more than 10 MiB', picture(10 * MIB + 1), 413],
  ])('refuses %s', async (_, file, status) => {
    const { accessToken: token } = await signIn(emulator, 'ada')
    expect((await send(file, token)).status).toBe(status)
  })
})
