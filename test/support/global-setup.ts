/** Global setup of the lanes that need the build: builds what is older than its source, finds the browsers, so that two workers never unpack one at the same time, and makes a folder for the run. */
import { findChromium, findHeadlessShell } from './chromium'
import { ensureBuild } from './ensure-build'
import { makeRunFolder } from './once-per-run'

/** Returns the teardown. */
export default async function setup(): Promise<() => void> {
  ensureBuild()
  const [shell, found] = [await findHeadlessShell(), await findChromium()]
  if ('path' in found && 'path' in shell) {
    process.env['CHROMIUM'] = found.path
    process.env['CHROMIUM_HEADLESS_SHELL'] = shell.path
    console.log(`Browser tests run in ${[...new Set([shell.path, found.path])].join(' and ')}`)
  } else {
    for (const each of [shell, found])
      if ('reason' in each) console.warn(`Browser tests cannot run: ${each.reason}.`)
  }
  return makeRunFolder()
}
