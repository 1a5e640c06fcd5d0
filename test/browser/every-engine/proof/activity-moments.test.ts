/** Pictures of a game in the frame of an Activity go into the chat, and those that no page may read, or that are too large, are refused. */
import { createServer } from 'node:http'
import { createEmulator } from 'foyer-emulator'
import { expect } from 'vitest'
import { CONTENT_ONLY, closeAfterTest, inEveryEngine } from '../../../support/engines/in-every-engine'
import { listen } from '../../../support/loopback'
import { serveRemoteGame } from '../../../support/remote-game'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** `foreign` is the address of a picture of another origin. */
const script = (settings: object, foreign: string) => `
await new Promise((resolve) => document.head.append(Object.assign(document.createElement('script'), { src: '/foyer.js', onload: resolve })))
const client = new Foyer.Client(${JSON.stringify(settings)})
const host = await client.activity.connect()
const canvasWith = async (address) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 43, height: 24 })
  const context = canvas.getContext('2d')
  context.fillRect(1, 1, 20, 20)
  if (address === undefined) return canvas
  const picture = new Image()
  await new Promise((resolve, reject) => Object.assign(picture, { onload: resolve, onerror: reject, src: address }))
  context.drawImage(picture, 0, 0)
  return canvas
}
const large = () => new Blob([new Uint8Array(11 * 1024 * 1024)], { type: 'image/png' })
const look = { message: 'Beat this', title: 'Moon Base', description: '92 points' }
Object.assign(window, { client, host, canvasWith, large, look, foreign: '${foreign}', player: 'ada' })
`

inEveryEngine((engineTest) => {
  engineTest(
    'a canvas of the game goes into the chat; one with a picture of another site, and 11 MiB, do not',
    async (engine) => {
      const pictures = await listen(
        createServer((_request, response) =>
          response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL),
        ),
      )
      closeAfterTest(pictures)
      const emulator = await createEmulator()
      closeAfterTest(emulator)
      const settings = { applicationId: emulator.application.id, service: { host: emulator.url } }
      const game = await serveRemoteGame({
        script: script(settings, `http://127.0.0.1:${pictures.port}/a.png`),
      })
      closeAfterTest(game)
      await emulator.activity.serve(game.url)
      const page = await engine.open()
      await page.goto(emulator.activity.launch({ as: 'ada' }).url)
      const signedIn = game.run('client.signIn().then(({ userId }) => userId)')
      await page.press('Approve')
      expect(await signedIn).toBe(emulator.users[0]?.id)

      const tainted = { rejected: { code: 'tainted_canvas' } }
      expect(await game.run('canvasWith(foreign).then((image) => host.shareMoment(image))')).toMatchObject(
        tainted,
      )
      expect(
        await game.run('canvasWith(foreign).then((image) => host.shareLink({ ...look, image }))'),
      ).toMatchObject(tainted)
      const refused = { rejected: { code: 'invalid_argument' } }
      expect(await game.run('host.shareMoment(large())')).toMatchObject(refused)
      expect(await game.run('host.shareLink({ ...look, image: large() })')).toMatchObject(refused)
      const sent = () =>
        emulator.requests.filter(
          ({ method, path }) => method === 'POST' && /attachment|quick-links/.test(path),
        )
      expect(sent()).toEqual([])

      expect(await game.run('canvasWith().then((image) => host.shareMoment(image))')).toBe(null)
      expect(sent().map(({ status }) => status)).toEqual([200])
      await page.click('.dialog button[value=cancel]')
      const shared = game.run('canvasWith().then((image) => host.shareLink({ ...look, image }))')
      await page.click('.dialog button[value=cancel]')
      expect(await shared).toMatchObject({ success: false })
      expect(sent().map(({ status }) => status)).toEqual([200, 200])
    },
  )
}, CONTENT_ONLY)
