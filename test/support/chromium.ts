/** Finds and starts the Chromium that tests and benchmarks run in. */
import { accessSync, constants } from 'node:fs'
import { chromium as playwright, type Browser, type BrowserContext, type LaunchOptions } from 'playwright'
import { installPackages } from './install-packages'

/** Flags that disable network access and first-run pages. */
const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Folder of the package with a Chromium, for machines without one. */
const FALLBACK = 'test/support/fallback-chromium'

/** Browsers speak English, whatever the machine is set to: with `LANG=C` Chromium names its language `en-US@posix`, which Intl refuses. */
function englishEnvironment(): Record<string, string> {
  const { LC_ALL: _, LANGUAGE: __, ...rest } = process.env
  return Object.fromEntries(
    Object.entries({ ...rest, LANG: 'en_US.UTF-8' }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

/** Chromium without windows, as Debian installs it. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Finds a Chromium: `$CHROMIUM`, then an installed one, then the one of npm, unless the `full` browser is wanted; otherwise returns the reason. */
export async function findChromium({ full = false } = {}): Promise<{ path: string } | { reason: string }> {
  const named = process.env['CHROMIUM']
  if (named)
    return isExecutable(named) ? { path: named } : { reason: `$CHROMIUM is ${named}, which cannot be run` }
  const installed = INSTALLED.find(isExecutable)
  if (installed) return { path: installed }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      reason: `no Chrome or Chromium is installed; name one in $CHROMIUM (the one of npm is for Linux on x64)`,
    }
  }
  if (full)
    return {
      reason:
        'no Chrome or Chromium is installed, and the one of npm is a headless shell: it has no popup blocker and no back/forward cache',
    }
  try {
    return { path: await unpackFallback() }
  } catch (error) {
    return {
      reason: `no Chrome or Chromium is installed, and the one of npm cannot be used: ${String(error)}`,
    }
  }
}

/** Installs and unpacks the Chromium of npm. @throws Error if it cannot be had. */
async function unpackFallback(): Promise<string> {
  const reason = installPackages(FALLBACK)
  if (reason !== undefined) throw new Error(reason)
  const module = new URL(
    'fallback-chromium/node_modules/@sparticuz/chromium/build/esm/index.js',
    import.meta.url,
  ).href
  const { default: fallback }: { default: { executablePath(): Promise<string> } } = await import(module)
  return fallback.executablePath()
}

/**
 * Finds Chromium's headless shell, whose pages cost a quarter of the processor time: `$CHROMIUM_HEADLESS_SHELL`, the browser that
 * `$CHROMIUM` names, an installed shell, or any Chromium.
 */
export async function findHeadlessShell(): Promise<{ path: string } | { reason: string }> {
  const named = process.env['CHROMIUM_HEADLESS_SHELL']
  if (named)
    return isExecutable(named)
      ? { path: named }
      : { reason: `$CHROMIUM_HEADLESS_SHELL is ${named}, which cannot be run` }
  return !process.env['CHROMIUM'] && isExecutable(SHELL) ? { path: SHELL } : findChromium()
}

export interface ChromiumOptions extends LaunchOptions {
  /** Starts the browser that players have, with its popup blocker and back/forward cache, instead of the headless shell. */
  full?: boolean
}

/**
 * Starts Chromium for one test or one file; the caller closes it. Without one, the test is skipped with the reason, so it is
 * counted; on CI that is a failure. Hooks have no `skip`: start the browser in the test, or call `findChromium` first.
 */
export async function launchChromium(
  context?: { skip(note?: string): unknown },
  { full = false, ...options }: ChromiumOptions = {},
): Promise<Browser> {
  const found = await (full || isHeaded() ? findChromium({ full: true }) : findHeadlessShell())
  if ('path' in found)
    return withLongTimeout(
      await playwright.launch({
        executablePath: found.path,
        args: ARGS,
        env: englishEnvironment(),
        ...visible(),
        ...options,
      }),
    )
  if (process.env['CI'] || !context) throw new Error(`No browser to test in: ${found.reason}.`)
  console.warn(`Skipped, no browser to test in: ${found.reason}.`)
  context.skip(found.reason)
  throw new Error('skip() came back.')
}

/** `HEADED=1` shows the browser, slowly enough to watch. */
const isHeaded = () => process.env['HEADED'] === '1'
const visible = (): LaunchOptions => (isHeaded() ? { headless: false, slowMo: 250 } : {})

/** Starts Chromium with the profile in a folder. */
export async function launchChromiumProfile(
  folder: string,
  { args = [], ...options }: LaunchOptions,
): Promise<BrowserContext> {
  const found = await findChromium()
  if (!('path' in found)) throw new Error(`No browser to test in: ${found.reason}.`)
  const context = await playwright.launchPersistentContext(folder, {
    executablePath: found.path,
    args: [...ARGS, ...args],
    env: englishEnvironment(),
    ...options,
  })
  context.setDefaultTimeout(90_000)
  return context
}

/** Raises the default timeout of pages to about the test's own: they are slow on a busy machine. */
function withLongTimeout(browser: Browser): Browser {
  return browser.on('context', (context) => context.setDefaultTimeout(90_000))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
