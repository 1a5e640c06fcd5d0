/** A sandbox for a game in Electron: a temporary home, a system browser, `xdg-open` and `xdg-mime`, an emulator, and the packed SDK. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator, type Emulator, type LocalProgram } from 'foyer-emulator'
import type { PackedPackage } from '../packed-package'
import {
  type SandboxOptions,
  type SandboxParts,
  DESKTOP_FILE,
  desktopEntry,
  environment,
  programFolder,
  roles,
} from './sandbox-environment'
import { startDisplay } from './desktop'
import { BINARY } from './pack-game'
import { endProcesses } from './processes'
import { Game } from './running-game'
import { servePage } from './served-page'
import { SystemBrowser } from './system-browser'

export class Sandbox {
  readonly emulator: Emulator
  readonly home: string
  /** Project that contains the game. */
  readonly packed: PackedPackage
  readonly browser: SystemBrowser
  readonly #env: Record<string, string>
  readonly #main: string
  readonly #control: string
  readonly #games: ChildProcess[] = []
  readonly #closePage: () => Promise<void>

  private constructor(parts: SandboxParts, options: SandboxOptions) {
    const { emulator, packed, home, main, close } = parts
    this.emulator = emulator
    this.home = home
    this.packed = packed
    this.browser = new SystemBrowser(home, emulator)
    this.#main = main
    this.#closePage = close
    this.#control = join(home, 'control.sock')
    this.#env = {
      ...environment(parts, options),
      ...roles(parts, options),
      BROWSER_ROLE: JSON.stringify(this.browser.files),
    }
  }

  static async create(packed: PackedPackage, options: SandboxOptions = {}): Promise<Sandbox> {
    const emulator = await createEmulator()
    const page = await servePage(packed)
    const display = options.browser === 'chromium' ? await startDisplay() : undefined
    const close = async () => {
      display?.close()
      await page.close()
    }
    const home = mkdtempSync(join(tmpdir(), 'foyer-sandbox-'))
    const main = join(packed.project, options.module ?? 'main.mjs')
    const sandbox = new Sandbox(
      { emulator, packed, home, main, origin: page.origin, display: display?.name, close },
      options,
    )
    sandbox.#install(options)
    sandbox.browser.play({})
    return sandbox
  }

  /** Starts the game as from its icon. */
  async start(): Promise<Game> {
    rmSync(this.#control, { force: true })
    this.#spawn([])
    return this.attach()
  }

  /** Connects to the running game, no matter which process started it. */
  async attach(): Promise<Game> {
    return Game.attach(this.#control)
  }

  /** Opens a link as any program of the machine can. */
  open(address: string): void {
    // Not awaited: the process that it starts may run for long.
    this.#games.push(spawn('xdg-open', [address], { env: this.#env, stdio: 'ignore' }))
  }

  /** Starts the service's program of this player, which opens launch links as any program can. */
  startProgram(as: string): Promise<LocalProgram> {
    const launch = (link: string) => this.open(link)
    return this.emulator.localProgram({ as, folder: programFolder(this.home), launch })
  }

  /** Resolves with the callback URL for an authorize URL, as the service redirects. */
  async callbackFor(url: string): Promise<string> {
    return (await this.emulator.authorize(url, { as: 'ada' })).redirect
  }

  /** Approves a device's user code, as a player would on another screen. */
  async approve(userCode: string): Promise<void> {
    const headers = {
      authorization: `Bearer ${this.emulator.controlToken}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ userCode, as: 'ada' })
    const { status } = await fetch(`${this.emulator.url}/_emulator/device`, { method: 'POST', headers, body })
    if (status !== 204) throw new Error(`The device was not approved: ${status}.`)
  }

  /** Kills every process of the game at once, as in a power failure. */
  async crash(): Promise<void> {
    const alive = this.#games
      .splice(0)
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ended = alive.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of alive) child.kill('SIGKILL')
    await Promise.all(ended)
    rmSync(this.#control, { force: true })
  }

  /** Starts a process of the game with these arguments; resolves with its exit code. */
  async startBeside(args: readonly string[]): Promise<number | null> {
    const child = this.#spawn(args)
    return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  }

  async close(): Promise<void> {
    await endProcesses(this.home)
    await this.#closePage()
    await this.emulator.close()
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  #spawn(args: readonly string[]): ChildProcess {
    const [command = '', ...before] = BINARY
    const child = spawn(command, [...before, this.#main, ...args], {
      env: this.#env,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    this.#games.push(child)
    return child
  }

  #install({ schemeName, launches, browser }: SandboxOptions): void {
    const folder = join(this.home, '.local/share/applications')
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(this.home, '.config'), { recursive: true })
    const isReal = browser === 'chromium'
    const command = isReal
      ? this.browser.real(this.#env['CHROMIUM'] ?? '', schemeName ?? '')
      : this.browser.script()
    writeFileSync(join(folder, 'browser.desktop'), desktopEntry(command, 'http'))
    execFileSync('xdg-mime', ['default', 'browser.desktop', 'x-scheme-handler/http'], { env: this.#env })
    const schemes = [schemeName, launches ? `service-${this.emulator.application.id}` : undefined]
    const mimeTypes = schemes.filter((name) => name !== undefined).join(';x-scheme-handler/')
    if (mimeTypes !== '')
      writeFileSync(join(folder, DESKTOP_FILE), desktopEntry([...BINARY, this.#main], mimeTypes))
  }
}
