/** Every page of the emulator in each of its states: no accessibility violation, nothing cut off, nothing wider than the window, every control reached by Tab, no report of the content policy. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from '../../support/chromium'
import { engineOf } from '../../support/engines/chromium'
import type { Engine } from '../../support/engines/engine'
import { EMULATOR_SCREENS } from '../../support/screens/emulator-screens'
import { collectReports, type Look, measureScreen } from '../../support/screens/measure-screen'
import { openWorld, type OpenWorld } from '../../support/screens/open-world'
import { TOOL_SCREENS } from '../../support/screens/tool-screens'

/** The extremes; `npm run looks` measures all. */
const LOOKS: readonly Look[] = [
  { width: 320, theme: 'light', font: '100%' },
  { width: 320, theme: 'dark', font: '200%' },
  { width: 1440, theme: 'dark', font: '100%' },
]

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

describe('no fault', () => {
  it.each([...EMULATOR_SCREENS, ...TOOL_SCREENS])('$name', async ({ open }) => {
    const page = await engine.open()
    await collectReports(page)
    await open(page, world)
    expect(await measureScreen(page, LOOKS)).toEqual([])
  })
})
