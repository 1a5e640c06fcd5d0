/** Registers tests that run in every engine, or state where they cannot run and why. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, onTestFinished, test } from 'vitest'
import type { Engine, LaunchOptions, Profile } from './engine'
import { ENGINES, type EngineName } from './index'
import type { Skip } from './unavailable'
import { DriverTimeoutError } from './webdriver'

/** For files that need neither Chromium's popup blocker nor its back/forward cache. */
export const CONTENT_ONLY: LaunchOptions = { contentOnly: true }

export interface EngineTestOptions {
  /** Engines in which the test cannot run, with the reason, which docs/browsers.md repeats. */
  notIn?: Partial<Record<EngineName, string>>
}

/**
 * `expectations` receives the browser, whose `open()` begins with an empty profile, and a function that starts another browser, with the
 * profile in a folder; the caller closes it.
 */
export type EngineTest = (
  title: string,
  expectations: (engine: Engine, launch: (profile: Profile) => Promise<Engine>) => Promise<void>,
  options?: EngineTestOptions,
) => void

/**
 * Calls `register` once for each engine. The tests of one engine share one browser, which starts with the first of them. A test whose driver
 * stopped answering runs once more, in a new browser; the output says so.
 */
export function inEveryEngine(register: (engineTest: EngineTest) => void, launchOptions?: LaunchOptions): void {
  describe.each(ENGINES)('in $name', ({ name, launch }) => {
    let browser: Promise<Engine> | undefined
    const start = (context: Skip) => (browser ??= launch(context, launchOptions))
    afterAll(async () => (await browser)?.close())
    register((title, expectations, options) => {
      if (reasonAgainst({ name, title }, options) !== undefined) return
      // oxlint-disable-next-line vitest/valid-title -- the caller's title
      test(title, async (context) => {
        const run = async () => expectations(await start(context), (profile) => launch(context, { ...launchOptions, profile }))
        await run().catch(async (error: unknown) => {
          if (!(error instanceof DriverTimeoutError)) throw error
          console.warn(`${title}, in ${name}: ${error.message} Runs once more, in a new browser.`)
          const former = browser
          browser = undefined
          void former?.then((silent) => silent.close()).catch(() => undefined)
          await run()
        })
      })
    })
  })
}

/** Returns the reason for which a test is absent in an engine. @throws Error if it is empty. */
export function reasonAgainst(
  { name, title }: { name: EngineName; title: string },
  { notIn = {} }: EngineTestOptions = {},
): string | undefined {
  const reason = notIn[name]
  if (reason !== undefined && !/\w+ \w+/.test(reason)) throw new Error(`"${title}" needs a reason for not running in ${name}.`)
  return reason
}

/** Closes something when the current test ends. */
export const closeAfterTest = (resource: { close: () => Promise<unknown> }): void => {
  onTestFinished(async () => void (await resource.close()))
}

/** Creates a folder for a `Profile`, which is deleted when the current test ends. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-profile-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
