/** Registers tests that run in every engine, or state where they cannot run and why. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished, test as base } from 'vitest'
import { chosenEngines } from './chosen-engines'
import type { Engine, LaunchOptions, Profile } from './engine'
import type { EngineName } from './index'
import { SharedBrowsers } from './shared-browsers'
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

/** The files of one worker share the browsers if the lane does not isolate them. */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of fixtures from a pattern
const test = base.extend('browsers', { scope: 'worker' }, ({}, { onCleanup }) => {
  const browsers = new SharedBrowsers()
  onCleanup(() => browsers.close())
  return browsers
})

/**
 * Calls `register` once for each engine. A browser starts with the first test that needs it, and the next one begins with an empty profile.
 * A test that fails leaves no browser to the next. One whose driver stopped answering runs once more, and the output says so.
 */
export function inEveryEngine(
  register: (engineTest: EngineTest) => void,
  launchOptions: LaunchOptions = {},
): void {
  describe.each(chosenEngines())('in $name', ({ name, launch, heeds }) => {
    const kind = [name, ...heeds.filter((option) => launchOptions[option])].join(' ')
    // The pages of the last test would go on beside the tests of other engines.
    test.afterAll(async ({ browsers }) => browsers.clear(kind))
    register((title, expectations, options) => {
      if (reasonAgainst({ name, title }, options) !== undefined) return
      // oxlint-disable-next-line vitest/valid-title -- the caller's title
      test(title, async ({ browsers, skip }) => {
        const start = (profile?: Profile) =>
          launch({ skip }, { ...launchOptions, ...(profile && { profile }) })
        const run = async () => {
          try {
            await expectations(await browsers.get(kind, start), start)
          } catch (error) {
            browsers.replace(kind)
            throw error
          }
        }
        await run().catch(async (error: unknown) => {
          if (!(error instanceof DriverTimeoutError)) throw error
          console.warn(`${title}, in ${name}: ${error.message} Runs once more, in a new browser.`)
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
  if (reason !== undefined && !/\w+ \w+/.test(reason))
    throw new Error(`"${title}" needs a reason for not running in ${name}.`)
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
