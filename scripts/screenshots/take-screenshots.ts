/** Opens all screens of the demo and the emulator, and takes them in both themes and three widths into `screenshots/`. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { SIDEWAYS } from '../../test/browser/demo-page'
import type { Engine } from '../../test/support/engines/engine'
import { ENGINES } from '../../test/support/engines/index'
import { selectScreens } from '../../test/support/screens'
import { applyLook, type Look, LOOKS } from '../../test/support/screens/measure-screen'
import { openWorld, type OpenWorld } from '../../test/support/screens/open-world'
import type { Screen } from '../../test/support/screens/screen'
import { type Picture, writeContactSheet, writeSheets } from './contact-sheet'
import { ELECTRON_SCREENS, takeElectronPictures } from './electron-pictures'

const FOLDER = 'screenshots'
const USUAL_LOOKS = LOOKS.filter(({ font }) => font === '100%')
/** Looks of the sheets: those, and a small notebook. */
const SHEET_LOOKS: readonly Look[] = [320, 768, 1024, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((theme): Look => ({ width, theme, font: '100%' })),
)

interface Options {
  /** Takes four widths, and puts all screens on pictures of several screens each. */
  readonly isSheet: boolean
}

/** @param names screens to take; empty for all. */
export async function takeScreenshots(
  names: readonly string[],
  { isSheet }: Options,
): Promise<{ file: string; pictures: number; sheets: readonly string[]; faults: string[] }> {
  const looks = isSheet ? SHEET_LOOKS : USUAL_LOOKS
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
      pictures.push(...(await take(screen, { engine, world, looks })))
    }
    pictures.push(...(await takeElectronPictures(FOLDER, electronScreens, looks)))
    const file = `${FOLDER}/index.html`
    await writeContactSheet(file, pictures)
    const faults = pictures.flatMap((one) => (one.fault === undefined ? [] : [`${one.file}: ${one.fault}`]))
    const sheets = isSheet ? await writeSheets(engine, FOLDER, pictures) : []
    return { file, pictures: pictures.length, sheets, faults }
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
async function take(
  { name, open }: Screen,
  { engine, world, looks }: { engine: Engine; world: OpenWorld; looks: readonly Look[] },
): Promise<Picture[]> {
  await world.reset()
  const page = await engine.open()
  let fault: string | undefined
  await open(page, world).catch((error: unknown) => (fault = String(error)))
  const pictures: Picture[] = []
  for (const look of looks) {
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
