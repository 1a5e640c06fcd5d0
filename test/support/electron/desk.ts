/** A machine for a game in Electron: a home of its own, a system browser, `xdg-open` and `xdg-mime`, an emulator, and the packed SDK. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type Browser, chromium } from 'playwright'
import { link, type Packed, pack } from '../packed'
import { endProcesses, kill } from './processes'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const STAND_IN = ['stand-in.mjs', 'window.mjs', 'context-bridge.mjs']

/** A display that nobody sees, for a browser with windows. */
async function startDisplay(): Promise<{ name: string; close: () => void }> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()))
    server.once('error', (error) => reject(new Error('Xvfb is not installed: on Debian, apt-get install xvfb.', { cause: error })))
  })
  return { name: `:${number}`, close: () => server.kill() }
}

/**
 * Whether these tests are skipped, with the reason on the console: a machine without a desktop's tools has no links to open. There must be
 * some where everything is proved.
 */
export function skipsDesktop(): boolean {
  const missing = ['xdg-open', 'xdg-mime', 'Xvfb'].filter((tool) => spawnSync('which', [tool]).status !== 0)
  if (missing.length === 0 || process.env['CI']) return false
  console.warn(`Skipped, not installed: ${missing.join(', ')} (Debian: apt-get install xdg-utils xvfb).`)
  return true
}

/** The packed SDK in a project whose `electron` is the stand-in. */
export function packGame(): Packed {
  const packed = pack('.')
  if (REAL === undefined) standInFor(packed)
  for (const file of ['game.mjs', 'main.mjs', 'main.cjs', 'demo-game.mjs']) cpSync(join(HERE, file), join(packed.project, file))
  return packed
}

/** A real Electron, named by `npm run test:electron`; else Node with the stand-in. */
export const REAL = process.env['ELECTRON']
const BINARY = REAL === undefined ? [process.execPath] : [REAL, '--no-sandbox']

function desktopEntry(command: readonly string[], scheme: string): string {
  return `[Desktop Entry]\nType=Application\nName=Test\nExec=${command.join(' ')} %u\nMimeType=x-scheme-handler/${scheme};\n`
}

function standInFor(packed: Packed): void {
  const electron = join(packed.project, 'node_modules/electron')
  mkdirSync(electron, { recursive: true })
  for (const file of STAND_IN) cpSync(join(HERE, file), join(electron, file))
  writeFileSync(
    join(electron, 'package.json'),
    JSON.stringify({ name: 'electron', version: '45.4.1', main: 'stand-in.mjs', type: 'module' }),
  )
  link('playwright', packed.project)
}

export interface DeskOptions {
  /** What Linux would say its key store is. */
  keyStore?: string
  /** Custom scheme of the game, registered with the system. */
  schemeName?: string
  windows?: number
  /** Options of `createMainClient` that are plain data. */
  options?: Record<string, unknown>
  module?: 'main.mjs' | 'main.cjs' | 'demo-game.mjs'
  /** `none`: no browser opens. `chromium`: a real one, on a display of its own, instead of a script. */
  browser?: 'none' | 'chromium'
}

/** What the system browser does with an authorize page. */
export interface BrowserRole {
  as?: string
  deny?: boolean
  /** Notes the address and goes no further. */
  hold?: boolean
}

interface Visit {
  url: string
  redirect?: string
  page?: string
}

export class Desk {
  readonly emulator: Emulator
  readonly home: string
  readonly #env: Record<string, string>
  readonly #main: string
  readonly #files: Record<'behaviour' | 'journal' | 'control', string>
  readonly #games: ChildProcess[] = []
  readonly #closePage: () => Promise<void>

  private constructor(
    parts: { emulator: Emulator; home: string; main: string; origin: string; display: string | undefined; close: () => Promise<void> },
    options: DeskOptions,
  ) {
    const { emulator, home, main, origin, display, close } = parts
    this.emulator = emulator
    this.home = home
    this.#main = main
    this.#closePage = close
    this.#files = { behaviour: join(home, 'behaviour.json'), journal: join(home, 'journal'), control: join(home, 'control.sock') }
    const { schemeName, windows, options: clientOptions, keyStore, browser } = options
    const desktopFile = schemeName && 'game.desktop'
    const game = {
      applicationId: emulator.application.id,
      host: emulator.url,
      origin,
      schemeName,
      windows,
      options: clientOptions,
      control: this.#files.control,
    }
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      CHROMIUM: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      // xdg-open asks only whether there is one.
      DISPLAY: display ?? process.env['DISPLAY'] ?? ':99',
      HOME: home,
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_CONFIG_HOME: join(home, '.config'),
      // What xdg-settings registers for a real Electron.
      CHROME_DESKTOP: 'game.desktop',
      STAND_IN: JSON.stringify({ userData: join(home, 'user-data'), keyStore, desktopFile, browser }),
      GAME: JSON.stringify(game),
      FOYER_HOST: emulator.url,
      FOYER_APPLICATION_ID: emulator.application.id,
      BROWSER_ROLE: JSON.stringify(this.#files),
    }
  }

  static async set(packed: Packed, options: DeskOptions = {}): Promise<Desk> {
    const emulator = await createEmulator()
    const page = await servePage(packed)
    const display = options.browser === 'chromium' ? await startDisplay() : undefined
    const close = async () => {
      display?.close()
      await page.close()
    }
    const home = mkdtempSync(join(tmpdir(), 'foyer-desk-'))
    const main = join(packed.project, options.module ?? 'main.mjs')
    const desk = new Desk({ emulator, home, main, origin: page.origin, display: display?.name, close }, options)
    desk.#install(options)
    desk.browse({})
    return desk
  }

  /** Sets what the system browser does from now on. */
  browse(role: BrowserRole): void {
    const { url: emulator, controlToken } = this.emulator
    writeFileSync(this.#files.behaviour, JSON.stringify({ ...role, emulator, controlToken }))
  }

  /** Every address that the system browser was started with. */
  visits(): Visit[] {
    if (!existsSync(this.#files.journal)) return []
    // What stands after the last line break is not yet a whole line.
    return readFileSync(this.#files.journal, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line): Visit => JSON.parse(line))
  }

  /** The next address that the system browser is started with, after `seen` others. */
  async visit(seen = 0): Promise<Visit> {
    const visits = await until(() => (this.visits().length > seen ? this.visits() : undefined))
    const visit = visits[seen]
    if (!visit) throw new Error('no visit')
    return visit
  }

  /** Starts the game as its icon would. */
  async start(): Promise<Game> {
    rmSync(this.#files.control, { force: true })
    this.#spawn([])
    return this.attach()
  }

  /** The game that runs, whoever has started it. */
  async attach(): Promise<Game> {
    return Game.attach(this.#files.control)
  }

  /** Opens a link as any program of the machine can. */
  open(address: string): void {
    // Not awaited: the process that it starts may go on for long.
    this.#games.push(spawn('xdg-open', [address], { env: this.#env, stdio: 'ignore' }))
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
    rmSync(this.#files.control, { force: true })
  }

  /** A process of the game that is started with these arguments, and its end. */
  async startBeside(args: readonly string[]): Promise<number | null> {
    const child = this.#spawn(args)
    return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  }

  async close(): Promise<void> {
    await this.#endChromium()
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

  /** The real browser, once the game has opened it. The caller closes it. */
  async chromium(): Promise<Browser> {
    const file = join(this.#profile, 'DevToolsActivePort')
    // A file that is still being written has no second line.
    const [port] = await until(() => (existsSync(file) ? /^\d+(?=\n.)/.exec(readFileSync(file, 'utf8')) : null) ?? undefined)
    return chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  }

  /** The browser belongs to no process of ours: `xdg-open` has started it. Its lock says which one it is. */
  async #endChromium(): Promise<void> {
    const lock = join(this.#profile, 'SingletonLock')
    const isThere = () => lstatSync(lock, { throwIfNoEntry: false }) !== undefined
    const pid = isThere() ? Number(readlinkSync(lock).split('-').at(-1)) : 0
    if (!pid) return
    kill(pid, 'SIGKILL')
    await until(() => (kill(pid, 0) ? undefined : true))
  }

  get #profile(): string {
    return join(this.home, 'chromium')
  }

  /** A profile that has said yes, once and for all, to "Open this link with the game?". */
  #browserCommand({ schemeName, browser }: DeskOptions): string[] {
    if (browser !== 'chromium') return [process.execPath, join(HERE, 'browser.mjs')]
    const pairs = { [this.emulator.url]: { [schemeName ?? '']: true } }
    mkdirSync(join(this.#profile, 'Default'), { recursive: true })
    writeFileSync(
      join(this.#profile, 'Default/Preferences'),
      JSON.stringify({ protocol_handler: { allowed_origin_protocol_pairs: pairs } }),
    )
    const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--disable-background-networking', '--remote-debugging-port=0']
    return [this.#env['CHROMIUM'] ?? '', ...flags, `--user-data-dir=${this.#profile}`]
  }

  #install(options: DeskOptions): void {
    const { schemeName } = options
    const folder = join(this.home, '.local/share/applications')
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(this.home, '.config'), { recursive: true })
    writeFileSync(join(folder, 'browser.desktop'), desktopEntry(this.#browserCommand(options), 'http'))
    execFileSync('xdg-mime', ['default', 'browser.desktop', 'x-scheme-handler/http'], { env: this.#env })
    if (schemeName) writeFileSync(join(folder, 'game.desktop'), desktopEntry([...BINARY, this.#main], schemeName))
  }
}

/** A running game, looked into from outside. */
export class Game {
  readonly #socket: Socket
  readonly #answers = new Map<number, (answer: { value?: unknown; error?: string }) => void>()
  #calls = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const { id, ...answer }: { id: number; value?: unknown; error?: string } = JSON.parse(line)
        this.#answers.get(id)?.(answer)
      }
    })
    socket.on('error', () => undefined)
  }

  static async attach(path: string): Promise<Game> {
    return until(
      () =>
        new Promise<Game | undefined>((resolve) => {
          const socket = connect(path, () => resolve(new Game(socket)))
          socket.once('error', () => resolve(undefined))
        }),
    )
  }

  /** Runs a function in the main process; it gets `{ client, windows, log, electron, sdk, scheme }`. */
  async main<T>(code: string): Promise<T> {
    return this.#ask<T>({ code })
  }

  /** Runs an expression in the page of a window. Rejects with an error whose message is the code. */
  async page<T>(code: string, page = 0): Promise<T> {
    return this.#ask<T>({ code, page })
  }

  get pid(): Promise<number> {
    return this.main('() => process.pid')
  }

  #ask<T>(request: { code: string; page?: number }): Promise<T> {
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#answers.set(id, ({ value, error }) => (error === undefined ? resolve(value as T) : reject(new Error(error))))
      this.#socket.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }
}

/** Asks again until there is an answer; the test's own deadline ends it. */
async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const HTML = `<!doctype html><title>Game</title><h1>Game</h1><script src="/foyer.js"></script><script src="/game.js"></script>`
/** Outcomes are plain data: `{ userId }` or `{ error }`. */
const SCRIPT = `const client = Foyer.connectMainClient()
const told = []
client.on('sessionChanged', ({ session }) => told.push(session && session.userId))
const outcome = (work) => work.then((session) => ({ userId: session && session.userId }), (error) => ({ error: error.code, name: error.name }))
const signIn = (options) => outcome(client.signIn(options))`

async function servePage(packed: Packed): Promise<{ origin: string; close: () => Promise<void> }> {
  const files: Record<string, [type: string, body: string]> = {
    '/': ['text/html', HTML],
    '/frame': ['text/html', '<!doctype html><title>Frame</title><iframe src="/"></iframe>'],
    '/foyer.js': ['text/javascript', readFileSync(join(packed.folder, 'dist/umd/index.umd.js'), 'utf8')],
    '/game.js': ['text/javascript', SCRIPT],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? '/'] ?? ['text/html', '']
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { origin: `http://localhost:${port}`, close }
}
