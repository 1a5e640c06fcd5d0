/** Pictures and links go from the game into the chat: kept for the player by the service, and shown in the host's dialog. */
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

const DAY = 86_400_000

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

const LOOK = { title: 'Moon Base', description: '92 points', image: picture() }
const links = () => emulator.requests.filter(({ path }) => path.endsWith('/quick-links'))
const sharedLink = () => {
  const message = emulator.interactions.messages({ as: 'ada' }).at(-1)
  return Object(Reflect.get(Object(message), 'activity_link')) as Record<string, string>
}
/** Custom id with which the game is launched by the link. */
async function customIdBy(linkId: string): Promise<string | null> {
  const { instanceId } = emulator.activity.launch({ as: 'bruno', linkId })
  const origin = new URL(emulator.activity.url ?? '').origin
  const opened = await fetch(`${emulator.activity.url}windows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ instance_id: instanceId, as: 'bruno' }),
  })
  const { frames } = (await opened.json()) as { frames: { src: string }[] }
  return new URL(frames[0]?.src ?? '').searchParams.get('custom_id')
}

describe('host.shareLink', () => {
  it('shares a link with a title and a picture of its own, whose custom id reaches the game for 30 days', async () => {
    const host = await connect()
    const result = await host.shareLink({ message: 'Beat this', customId: 'score-92', ...LOOK })
    expect(result).toEqual({ success: true, didCopyLink: false, didSendMessage: true })
    expect(shared()).toBe('Beat this')
    const { title, description, image = '', link_id: linkId = '' } = sharedLink()
    expect([title, description]).toEqual(['Moon Base', '92 points'])
    expect((await (await fetch(image)).arrayBuffer()).byteLength).toBe(4)
    emulator.advance(29 * DAY)
    expect(await customIdBy(linkId)).toBe('score-92')
    emulator.advance(DAY)
    expect(await customIdBy(linkId)).toBe(null)
  })

  it('shares a link that exists again, until it is over', async () => {
    const host = await connect()
    await host.shareLink({ message: 'One', customId: 'a', ...LOOK })
    const { link_id: linkId = '' } = sharedLink()
    await host.shareLink({ message: 'Two', linkId })
    expect([shared(), links().length, sharedLink()['custom_id']]).toEqual(['Two', 1, 'a'])
    emulator.advance(30 * DAY)
    await expect(host.shareLink({ message: 'Three', linkId })).rejects.toMatchObject({
      code: 'invalid_payload',
    })
  })

  it('shares a plain link without a request to the service', async () => {
    const host = await connect()
    await host.shareLink({ message: 'Play', customId: 'a' })
    expect([shared(), links(), sharedLink()['title']]).toEqual(['Play', [], undefined])
  })

  it.each([
    ['no message', { message: '' }],
    ['a long custom id', { message: 'a', customId: 'a'.repeat(65) }],
    ['a title without a picture', { message: 'a', title: 'a', description: 'a' }],
    ['a picture without a title', { message: 'a', description: 'a', image: picture() }],
    ['a long title', { message: 'a', ...LOOK, title: 'a'.repeat(257) }],
    ['a picture and a link that exists', { message: 'a', ...LOOK, linkId: 'a' }],
    ['more than 10 MiB', { message: 'a', ...LOOK, image: picture(11 * MIB) }],
    ['a file that is no picture', { message: 'a', ...LOOK, image: picture(4, 'text/html') }],
    ['another field', { message: 'a', text: 'a' } as { message: string }],
  ])('refuses %s before it sends', async (_, link) => {
    const host = await connect()
    await expect(host.shareLink(link)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect([links(), shared()]).toEqual([[], undefined])
  })

  it('sends a picture of 10 MiB, and rejects a canvas with pictures of other sites', async () => {
    const host = await connect()
    await host.shareLink({ message: 'a', ...LOOK, image: picture(10 * MIB) })
    expect(links().map(({ status }) => status)).toEqual([200])
    const tainted = {
      toBlob() {
        throw new DOMException('Tainted canvases may not be exported.', 'SecurityError')
      },
    }
    await expect(host.shareLink({ message: 'a', ...LOOK, image: tainted })).rejects.toMatchObject({
      code: 'tainted_canvas',
    })
  })
})

const createLink = (given: object, token: string, path = 'quick-links') =>
  fetch(`${emulator.url}/api/v10/applications/${emulator.application.id}/${path}`, {
    method: 'POST',
    headers: { Authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })

describe('POST quick-links', () => {
  const body = { title: 'a', description: 'b', image: 'data:image/png;base64,AAAA' }
  it('is for players, with and without a slash at the end', async () => {
    const { accessToken } = await signIn(emulator, 'ada')
    const statuses = await Promise.all([
      createLink(body, `Bearer ${accessToken}`),
      createLink(body, `Bearer ${accessToken}`, 'quick-links/'),
      createLink(body, `Bot ${emulator.application.botToken}`),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 401])
  })

  it.each([
    ['no title', { title: undefined }],
    ['a picture of the web', { image: 'https://game.example/a.png' }],
    ['a file that is no picture', { image: 'data:text/html;base64,AAAA' }],
    ['an empty picture', { image: 'data:image/png;base64,' }],
    ['a long custom id', { custom_id: 'a'.repeat(65) }],
  ])('refuses %s', async (_, change) => {
    const { accessToken } = await signIn(emulator, 'ada')
    expect((await createLink({ ...body, ...change }, `Bearer ${accessToken}`)).status).toBe(400)
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
