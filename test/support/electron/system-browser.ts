/** Browser that `xdg-open` starts in a sandbox: a script that approves on the consent page, or a real Chromium with windows. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from 'foyer-emulator'
import { type Browser, chromium } from 'playwright'
import { HERE } from './pack-game'
import { until } from './until'

/** Behaviour of the script on an authorize page. */
export interface BrowserRole {
  as?: string
  deny?: boolean
  /** Records the URL and stops. */
  hold?: boolean
}

export interface Visit {
  url: string
  redirect?: string
  page?: string
}

export class SystemBrowser {
  readonly #emulator: Emulator
  /** Files from which the script reads its role, and to which it writes its visits. */
  readonly files: Readonly<Record<'behaviour' | 'journal', string>>
  readonly #profile: string

  constructor(home: string, emulator: Emulator) {
    this.#emulator = emulator
    this.files = { behaviour: join(home, 'behaviour.json'), journal: join(home, 'journal') }
    this.#profile = join(home, 'chromium')
  }

  /** Sets the behaviour from now on. */
  play(role: BrowserRole): void {
    const { url: emulator, controlToken } = this.#emulator
    writeFileSync(this.files.behaviour, JSON.stringify({ ...role, emulator, controlToken }))
  }

  /** Every URL that the browser was started with. */
  visits(): Visit[] {
    if (!existsSync(this.files.journal)) return []
    // Text after the last line break is an incomplete line.
    return readFileSync(this.files.journal, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line): Visit => JSON.parse(line))
  }

  /** Resolves with the next URL that it is started with, after `seen` others. */
  async visit(seen = 0): Promise<Visit> {
    const visits = await until(() => (this.visits().length > seen ? this.visits() : undefined))
    const visit = visits[seen]
    if (!visit) throw new Error('no visit')
    return visit
  }

  /** Command of the script. */
  script(): string[] {
    return [process.execPath, join(HERE, 'browser.mjs')]
  }

  /** Command of a real browser, with a profile that always allows "Open this link with the game?". */
  real(binary: string, scheme: string): string[] {
    const pairs = { [this.#emulator.url]: { [scheme]: true } }
    mkdirSync(join(this.#profile, 'Default'), { recursive: true })
    writeFileSync(
      join(this.#profile, 'Default/Preferences'),
      JSON.stringify({ protocol_handler: { allowed_origin_protocol_pairs: pairs } }),
    )
    const flags = [
      '--no-sandbox',
      '--no-first-run',
      '--disable-gpu',
      '--disable-background-networking',
      '--remote-debugging-port=0',
    ]
    return [binary, ...flags, `--user-data-dir=${this.#profile}`]
  }

  /** Connects to the real browser, once the game has started it. It ends with the sandbox. */
  async chromium(): Promise<Browser> {
    const file = join(this.#profile, 'DevToolsActivePort')
    // A file that is still being written has no second line.
    const [port] = await until(
      () => (existsSync(file) ? /^\d+(?=\n.)/.exec(readFileSync(file, 'utf8')) : null) ?? undefined,
    )
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: 90_000 })
    for (const context of browser.contexts()) context.setDefaultTimeout(90_000)
    return browser
  }
}
