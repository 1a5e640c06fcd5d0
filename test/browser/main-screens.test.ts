/** The main screens of the demo and the emulator: no accessibility violation, nothing cut off, every control reached by Tab, no report of the content policy. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium'
import { engineOf } from '../support/engines/chromium'
import type { Engine } from '../support/engines/engine'
import { selectScreens } from '../support/screens'
import { collectReports, type Look, measureScreen } from '../support/screens/measure-screen'
import { openWorld, type OpenWorld } from '../support/screens/open-world'

const SCREENS = [
  'sign-in-done',
  'lobby',
  'limits-empty',
  'service',
  'index',
  'consent',
  'device',
  'chat-commands',
  'inspector',
  'activity',
]
/** Every screen and every look is a proof: `proof/demo-screens` and `proof/emulator-screens`. */
const LOOKS: readonly Look[] = [{ width: 1440, theme: 'light', font: '100%' }]

let engine: Engine
let world: OpenWorld

beforeAll(async () => {
  engine = engineOf(await launchChromium())
  world = await openWorld()
})

afterAll(async () => {
  await engine.close()
  await world.close()
})

beforeEach(() => world.reset())

it.each(selectScreens(SCREENS))('$name has no fault', async ({ open }) => {
  const page = await engine.open()
  await collectReports(page)
  await open(page, world)
  expect(await measureScreen(page, LOOKS)).toEqual([])
})
