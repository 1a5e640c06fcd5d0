/** Global setup before all test files: finds the browser, so that two workers never unpack one at the same time. */
import { findChromium } from './chromium'

export default async function setup(): Promise<void> {
  const found = await findChromium()
  if ('path' in found) {
    process.env['CHROMIUM'] = found.path
    console.log(`Browser tests run in ${found.path}`)
  } else {
    console.warn(`Browser tests cannot run: ${found.reason}.`)
  }
}
