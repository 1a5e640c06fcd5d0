/** Every screen of the demo and the emulator. */
import { DEMO_SCREENS } from './demo-screens'
import { EMULATOR_SCREENS } from './emulator-screens'
import type { Screen } from './screen'
import { TOOL_SCREENS } from './tool-screens'

const SCREENS: readonly Screen[] = [...DEMO_SCREENS, ...EMULATOR_SCREENS, ...TOOL_SCREENS]

/** @param names those to select; empty for all. @throws Error that lists the names if one is unknown. */
export function selectScreens(names: readonly string[]): readonly Screen[] {
  const unknown = names.filter((name) => !SCREENS.some((screen) => screen.name === name))
  if (unknown.length > 0)
    throw new Error(
      `No such screen: ${unknown.join(', ')}. There are: ${SCREENS.map(({ name }) => name).join(', ')}.`,
    )
  return SCREENS.filter(({ name }) => names.length === 0 || names.includes(name))
}
