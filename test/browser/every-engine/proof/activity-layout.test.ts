/** Layout, orientation and safe area of an Activity: events of the host page as one listener of the game, in real browsers. */
import { createEmulator } from 'foyer-emulator'
import { expect, onTestFinished, test } from 'vitest'
import { ENGINES } from '../../../support/engines'
import { serveRemoteGame } from '../../../support/remote-game'

/** Style variables as the window of a phone with a notch sets them. */
const script = (settings: object) => `
await new Promise((resolve) => document.head.append(Object.assign(document.createElement('script'), { src: '/foyer.js', onload: resolve })))
const client = new Foyer.Client(${JSON.stringify(settings)})
const inset = (edge, value) => document.documentElement.style.setProperty('--service-safe-area-inset-' + edge, value)
const layouts = []
Object.assign(window, { client, inset, layouts, player: 'ada', host: await client.activity.connect() })
window.stop = await host.onLayout((layout) => layouts.push(layout))
`

const none = { top: 0, right: 0, bottom: 0, left: 0 }
const notch = { top: 44, right: 0, bottom: 21.5, left: 0 }

test.for(ENGINES.filter(({ name }) => name !== 'WebKit'))(
  '$name: onLayout reports layout, orientation and safe area, now and after each change',
  async ({ launch }, context) => {
    const browser = await launch(context)
    const emulator = await createEmulator()
    const game = await serveRemoteGame({
      script: script({ applicationId: emulator.application.id, service: { host: emulator.url } }),
    })
    onTestFinished(async () => {
      await browser.close()
      await Promise.all([emulator.close(), game.close()])
    })
    await emulator.activity.serve(game.url)
    const page = await browser.open()
    await page.goto(emulator.activity.launch({ as: 'ada', platform: 'mobile' }).url)
    const layouts = () => game.run<unknown[]>('layouts')
    const change = (device: object) => emulator.activity.setPlayer({ as: 'ada', ...device })

    expect(await layouts()).toEqual([{ safeArea: none }])
    change({ layoutMode: 'pip' })
    await expect.poll(layouts).toHaveLength(2)
    await game.run(`(inset('top', '44px'), inset('bottom', '21.5px'), 0)`)
    change({ orientation: 'portrait' })
    await expect.poll(layouts).toHaveLength(3)
    change({ layoutMode: 'grid', orientation: 'landscape' })
    await expect.poll(layouts).toHaveLength(5)
    await game.run(`(inset('top', ''), inset('bottom', ''), dispatchEvent(new Event('resize')))`)
    expect((await layouts()).slice(1)).toEqual([
      { mode: 'pip', safeArea: none },
      { mode: 'pip', orientation: 'portrait', safeArea: notch },
      { mode: 'grid', orientation: 'portrait', safeArea: notch },
      { mode: 'grid', orientation: 'landscape', safeArea: notch },
      { mode: 'grid', orientation: 'landscape', safeArea: none },
    ])

    await game.run('stop() && 0')
    change({ layoutMode: 'focused' })
    await game.run(`dispatchEvent(new Event('resize'))`)
    expect(await game.run('host.getPlatformBehaviors()')).toBeDefined()
    expect(await layouts()).toHaveLength(6)
  },
)
