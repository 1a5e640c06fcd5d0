/** Browsers that the tests of one worker share, since a start costs more than most tests: one of each kind, from the first test that needs it. */
import type { Engine } from './engine'
import { DriverTimeoutError } from './webdriver'

export class SharedBrowsers {
  readonly #started = new Map<string, Promise<Engine>>()

  /** Resolves with the browser of this kind. `launch` starts it if there is none. */
  async get(kind: string, launch: () => Promise<Engine>): Promise<Engine> {
    const browser = this.#started.get(kind) ?? launch()
    this.#started.set(kind, browser)
    return browser.catch((error: unknown) => {
      this.#started.delete(kind)
      throw error
    })
  }

  /** Closes the pages of the browser of this kind, if there is one. A driver that does not answer gives way to a new one. */
  async clear(kind: string): Promise<void> {
    try {
      await (await this.#started.get(kind))?.open()
    } catch (error) {
      this.replace(kind)
      if (!(error instanceof DriverTimeoutError)) throw error
    }
  }

  /** The next test of this kind has a new browser. Does not wait for the end of the old one, which may answer nothing more. */
  replace(kind: string): void {
    const former = this.#started.get(kind)
    this.#started.delete(kind)
    void former?.then((browser) => browser.close()).catch(() => undefined)
  }

  async close(): Promise<void> {
    const started = [...this.#started.values()]
    this.#started.clear()
    await Promise.all(started.map(async (browser) => (await browser).close()))
  }
}
