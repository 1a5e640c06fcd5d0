/** Engines that a run tests: all, or the one that a variable of the environment names, so that each can have a machine of its own. */
import { ENGINES } from './index'

/** `ENGINE`: `chromium`, `firefox` or `webkit`. Default: all. @throws Error that lists the names. */
export function chosenEngines({ ENGINE: name }: NodeJS.ProcessEnv = process.env): typeof ENGINES {
  if (name === undefined) return ENGINES
  const chosen = ENGINES.filter((engine) => engine.name.toLowerCase() === name)
  if (chosen.length === 0) throw new Error(`ENGINE is "${name}". It can be chromium, firefox or webkit.`)
  return chosen
}
