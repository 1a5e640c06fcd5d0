/** Checks what a configuration gives to the plugin: one in JavaScript has no compiler that would. */
import type { EmulatorSettings } from './run-emulator'

const OF_EMULATOR: Record<keyof EmulatorSettings, true> = {
  port: true,
  seed: true,
  state: true,
  limits: true,
  interactionsUrl: true,
  activityUrl: true,
  activityMappings: true,
}

/** @throws Error for a name that is no option, with the names that are. */
export function requirePluginOptions(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const meant = Object.hasOwn(OF_EMULATOR, name)
      ? `write foyer({ emulator: { ${name} } })`
      : `the options are ${names.join(', ')}, and those of emulator ${Object.keys(OF_EMULATOR).join(', ')}`
    throw new Error(`foyer: there is no option ${name}: ${meant}`)
  }
}
