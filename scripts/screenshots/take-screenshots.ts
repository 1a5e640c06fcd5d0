/** Opens all screens of the demo and the emulator, and takes them in both themes and three widths into `screenshots/`. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { SIDEWAYS } from '../../test/browser/demo-page'
import type { Engine } from '../../test/support/engines/engine'
import { ENGINES } from '../../test/support/engines/index'
import { selectScreens } from '../../test/support/screens'
import { applyLook, LOOKS } from '../../test/support/screens/measure-screen'
import { openWorld, type OpenWorld } from '../../test/support/screens/open-world'
import type { Screen } from '../../test/support/screens/screen'
import { type Picture, writeContactSheet } from './contact-sheet'
import { ELECTRON_SCREENS, takeElectronPictures } from './electron-pictures'

const FOLDER = 'screenshots'
const USUAL_LOOKS = LOOKS.filter(({ font }) => font === '100%')

/** @param names screens to take; empty for all. */
export async function takeScreenshots(
  names: readonly string[],
): Promise<{ file: string; pictures: number; faults: string[] }> {
  const electronScreens = ELECTRON_SCREENS.filter((name) => names.length === 0 || names.includes(name))
  const others = names.filter((name) => !electronScreens.some((one) => one === name))
  const screens = names.length > 0 && others.length === 0 ? [] : selectScreens(others)
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER)
  const world = await openWorld()
  const engine = await launch()
  try {
    const pictures: Picture[] = []
    for (const [index, screen] of screens.entries()) {
      console.log(`${index + 1} of ${screens.length}: ${screen.name}`)
      pictures.push(...(await take(screen, engine, world)))
    }
    pictures.push(...(await takeElectronPictures(FOLDER, electronScreens, USUAL_LOOKS)))
    const file = `${FOLDER}/index.html`
    await writeContactSheet(file, pictures)
    const faults = pictures.flatMap((one) => (one.fault === undefined ? [] : [`${one.file}: ${one.fault}`]))
    return { file, pictures: pictures.length, faults }
  } finally {
    await engine.close()
    await world.close()
  }
}

async function launch(): Promise<Engine> {
  const chromium = ENGINES.find(({ name }) => name === 'Chromium')
  if (!chromium) throw new Error('There is no Chromium among the engines.')
  return chromium.launch({
    skip(note) {
      throw new Error(`Chromium cannot start: ${note}`)
    },
  })
}

/** A picture has a fault if the screen could not be opened, or needs scrolling sideways. */
async function take({ name, open }: Screen, engine: Engine, world: OpenWorld): Promise<Picture[]> {
  await world.reset()
  const page = await engine.open()
  let fault: string | undefined
  await open(page, world).catch((error: unknown) => (fault = String(error)))
  const pictures: Picture[] = []
  for (const look of USUAL_LOOKS) {
    await applyLook(page, look)
    const { theme, width } = look
    const over = await page.evaluate<number>(SIDEWAYS)
    const file = `${name}-${theme}-${width}.png`
    await writeFile(`${FOLDER}/${file}`, await page.picture())
    pictures.push({
      screen: name,
      theme,
      width,
      file,
      fault: fault ?? (over > 0 ? `${over} px wider than the window` : undefined),
    })
  }
  return pictures
}
