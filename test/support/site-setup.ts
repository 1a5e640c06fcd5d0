/** Global setup of the lane that tests the manual: builds the site if it is older than its sources, and finds a browser. */
import process from 'node:process'
import { findHeadlessShell } from './chromium'
import { ensureSite } from './ensure-build'

export default async function setup(): Promise<void> {
  ensureSite()
  const shell = await findHeadlessShell()
  if ('path' in shell) process.env['CHROMIUM_HEADLESS_SHELL'] = shell.path
}
