/** Takes the screens of the Electron demo, which runs on the fake Electron: its pages are pages of Chromium. */
import { resolve } from 'node:path'
import { SIDEWAYS } from '../../test/browser/demo-page'
import { packDemo } from '../../test/support/electron/demo-project'
import { missingDesktop } from '../../test/support/electron/desktop'
import type { Game } from '../../test/support/electron/running-game'
import { Sandbox } from '../../test/support/electron/sandbox'
import type { Look } from '../../test/support/screens/measure-screen'
import type { Picture } from './contact-sheet'

export const ELECTRON_SCREENS = ['electron-sign-in', 'electron-setup-empty', 'electron-setup'] as const

type Screen = (typeof ELECTRON_SCREENS)[number]

/** Presses the buttons of every check, and waits for the results. */
const RUN_CHECKS = `Promise.all([...document.querySelectorAll('.panel')].map((panel) => new Promise((done) => {
  panel.querySelector('button').click()
  const look = () => (panel.querySelector('.findings, [role=alert]') ? done() : setTimeout(look, 50))
  look()
})))`

const STEPS: Readonly<Record<Screen, readonly string[]>> = {
  'electron-sign-in': [],
  'electron-setup-empty': ["location.hash = '#setup'"],
  'electron-setup': ["location.hash = '#setup'", RUN_CHECKS],
}

/** Returns no pictures where the desktop's tools are missing. */
export async function takeElectronPictures(
  folder: string,
  names: readonly Screen[],
  looks: readonly Look[],
): Promise<Picture[]> {
  const missing = missingDesktop()
  if (names.length > 0 && missing) console.warn(`No pictures of Electron: ${missing}.`)
  if (names.length === 0 || missing) return []
  const packed = await packDemo()
  const sandbox = await Sandbox.create(packed, { module: 'demo-game.mjs', schemeName: 'mygame' })
  try {
    const game = await sandbox.start()
    const pictures: Picture[] = []
    for (const screen of names)
      for (const look of looks) pictures.push(await take(game, { screen, folder, look }))
    return pictures
  } finally {
    await sandbox.close()
    packed[Symbol.dispose]()
  }
}

async function take(
  game: Game,
  { screen, folder, look }: { screen: Screen; folder: string; look: Look },
): Promise<Picture> {
  const { theme, width } = look
  const file = `${screen}-${theme}-${width}.png`
  await game.main(`async ({ windows: [{ page }] }) => {
    await page.setViewportSize({ width: ${width}, height: 900 })
    await page.emulateMedia({ colorScheme: '${theme}', reducedMotion: 'reduce' })
    await page.goto(page.url().replace(/#.*/, ''))
    await page.reload()
  }`)
  for (const step of STEPS[screen]) await game.page(step)
  const over = await game.page<number>(SIDEWAYS)
  const path = resolve(folder, file)
  await game.main(
    `({ windows: [{ page }] }) => page.screenshot({ path: ${JSON.stringify(path)}, fullPage: true }).then(() => undefined)`,
  )
  return { screen, theme, width, file, fault: over > 0 ? `${over} px wider than the window` : undefined }
}
