/** A machine for a game in Electron: a home of its own, a system browser, `xdg-open` and `xdg-mime`, an emulator, and the packed SDK. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { PackedPackage } from '../packed-package'
import { type SandboxOptions, type SandboxParts, DESKTOP_FILE, desktopEntry, environment, roles } from './sandbox-environment'
import { startDisplay } from './desktop'
import { BINARY } from './pack-game'
import { endProcesses } from './processes'
import { Game } from './running-game'
import { servePage } from './served-page'
import { SystemBrowser } from './system-browser'

export class Sandbox {
  readonly emulator: Emulator
  readonly home: string
  /** The project that the game is in. */
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
    this.#env = { ...environment(parts), ...roles(parts, options), BROWSER_ROLE: JSON.stringify(this.browser.files) }
  }

  static async set(packed: PackedPackage, options: SandboxOptions = {}): Promise<Sandbox> {
    const emulator = await createEmulator()
    const page = await servePage(packed)
    const display = options.browser === 'chromium' ? await startDisplay() : undefined
    const close = async () => {
      display?.close()
      await page.close()
    }
    const home = mkdtempSync(join(tmpdir(), 'foyer-desk-'))
    const main = join(packed.project, options.module ?? 'main.mjs')
    const desk = new Sandbox({ emulator, packed, home, main, origin: page.origin, display: display?.name, close }, options)
    desk.#install(options)
    desk.browser.play({})
    return desk
  }

  /** Starts the game as its icon would. */
  async start(): Promise<Game> {
    rmSync(this.#control, { force: true })
    this.#spawn([])
    return this.attach()
  }

  /** The game that runs, whoever has started it. */
  async attach(): Promise<Game> {
    return Game.attach(this.#control)
  }

  /** Opens a link as any program of the machine can. */
  open(address: string): void {
    // Not awaited: the process that it starts may go on for long.
    this.#games.push(spawn('xdg-open', [address], { env: this.#env, stdio: 'ignore' }))
  }

  /** The deep link or the address that answers an authorize page, as the service makes it. */
  async answer(url: string): Promise<string> {
    return (await this.emulator.authorize(url, { as: 'ada' })).redirect
  }

  /** Types a device's short code in, and says yes, as a player would on another screen. */
  async approve(userCode: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.emulator.controlToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ userCode, as: 'ada' })
    const { status } = await fetch(`${this.emulator.url}/_emulator/device`, { method: 'POST', headers, body })
    if (status !== 204) throw new Error(`The device was not approved: ${status}.`)
  }

  /** Ends every process of the game at once, as a power cut would. */
  async crash(): Promise<void> {
    const alive = this.#games.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ended = alive.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of alive) child.kill('SIGKILL')
    await Promise.all(ended)
    rmSync(this.#control, { force: true })
  }

  /** A process of the game that is started with these arguments, and its end. */
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
    const child = spawn(command, [...before, this.#main, ...args], { env: this.#env, stdio: ['ignore', 'inherit', 'inherit'] })
    this.#games.push(child)
    return child
  }

  #install({ schemeName, browser }: SandboxOptions): void {
    const folder = join(this.home, '.local/share/applications')
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(this.home, '.config'), { recursive: true })
    const isReal = browser === 'chromium'
    const command = isReal ? this.browser.real(this.#env['CHROMIUM'] ?? '', schemeName ?? '') : this.browser.script()
    writeFileSync(join(folder, 'browser.desktop'), desktopEntry(command, 'http'))
    execFileSync('xdg-mime', ['default', 'browser.desktop', 'x-scheme-handler/http'], { env: this.#env })
    if (schemeName) writeFileSync(join(folder, DESKTOP_FILE), desktopEntry([...BINARY, this.#main], schemeName))
  }
}
