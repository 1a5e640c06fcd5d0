/** The service's program on the computers of players: sockets, join requests and accepted invitations. */
import { bindMethods } from '../../foundation/bind-methods.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findPlayer } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import type { ActivityHost } from '../activity/activity-host.js'
import { readyUser } from '../activity/rpc-context.js'
import type { LocalProgram, LocalProgramInput } from './local-program-controls.js'
import { ProgramSession } from './program-session.js'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** Variable that `createMainClient` reads for a service on this computer. */
const FOLDER_VARIABLE = 'FOYER_LOCAL_PROGRAM'

export class LocalPrograms {
  readonly #context: EmulatorContext
  readonly #host: ActivityHost
  readonly #programs = new Map<string, RunningProgram>()

  constructor(context: EmulatorContext, host: ActivityHost) {
    this.#context = context
    this.#host = host
  }

  /** Starts the program of a player. @throws EmulatorError `unknown_user`, `bad_request` if one runs already. */
  async start(input: LocalProgramInput): Promise<LocalProgram> {
    const player = findPlayer(this.#context.seed.players, input.as)
    if (this.#programs.has(player.id))
      throw new EmulatorError('bad_request', `The program of ${player.username} runs already.`)
    const program = new RunningProgram(input, {
      context: this.#context,
      host: this.#host,
      player,
      programOf: (userId) => this.#programs.get(userId),
      ended: () => this.#programs.delete(player.id),
    })
    this.#programs.set(player.id, program)
    await program.listen()
    return program
  }

  /** @throws EmulatorError `unknown_user`, `bad_request` if none runs. */
  of(as: string): LocalProgram {
    const player = findPlayer(this.#context.seed.players, as)
    const program = this.#programs.get(player.id)
    if (program) return program
    throw new EmulatorError('bad_request', `No program of ${player.username} runs: call localProgram first.`)
  }

  /** Ids of players whose program runs. */
  running(): string[] {
    return [...this.#programs.keys()]
  }

  /** Ids of players with a presence that others can join. */
  joinable(): string[] {
    const { presences } = this.#host.stores
    return this.#context.seed.players
      .map(({ id }) => id)
      .filter((id) => presences.joinSecret(id) !== undefined)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#programs.values()].map((program) => program.quit()))
  }
}

interface ProgramParts {
  context: EmulatorContext
  host: ActivityHost
  player: Player
  programOf: (userId: string) => RunningProgram | undefined
  ended: () => void
}

class RunningProgram implements LocalProgram {
  readonly folder: string
  readonly environment: Record<string, string>
  readonly #input: LocalProgramInput
  readonly #parts: ProgramParts
  readonly #server: Server
  readonly #sessions = new Set<ProgramSession>()
  /** Secret of an accepted invitation, until a game has subscribed. */
  #secret: string | undefined

  constructor(input: LocalProgramInput, parts: ProgramParts) {
    bindMethods(this)
    this.#input = input
    this.#parts = parts
    if (input.folder !== undefined) mkdirSync(input.folder, { recursive: true, mode: 0o700 })
    this.folder = input.folder ?? mkdtempSync(join(tmpdir(), 'foyer-program-'))
    this.environment = { [FOLDER_VARIABLE]: this.folder }
    const { context, host, player } = parts
    this.#server = createServer((socket) =>
      this.#sessions.add(
        new ProgramSession(socket, {
          context,
          host,
          player,
          authenticate: input.authenticate ?? 'optional',
          subscribed: (event) => this.#subscribed(event),
          answered: (userId, answer) => this.#answered(userId, answer),
          ended: (session) => this.#sessions.delete(session),
        }),
      ),
    )
  }

  get games(): number {
    return [...this.#sessions].filter(({ connected }) => connected).length
  }

  listen(): Promise<void> {
    const { brand = 'service' } = this.#input
    const name = `${brand}-ipc-0`
    const path =
      process.platform === 'win32' ? `\\\\?\\pipe\\${basename(this.folder)}-${name}` : join(this.folder, name)
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(
          new EmulatorError('bad_request', `The program cannot listen: ${error.message}.`, { cause: error }),
        ),
      )
      this.#server.listen(path, resolve)
    })
  }

  ask(from: string): void {
    this.#secretOf(this.#parts.player)
    this.#notify('ACTIVITY_JOIN_REQUEST', { user: readyUser(this.#find(from)) })
  }

  invite(from: string): void {
    const sender = this.#find(from)
    this.#secretOf(sender)
    this.#notify('ACTIVITY_INVITE', { user: readyUser(sender) })
  }

  accept(from: string): void {
    this.deliver(this.#secretOf(this.#find(from)))
  }

  async quit(): Promise<void> {
    this.#parts.ended()
    for (const session of this.#sessions) session.end()
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()))
    if (this.#input.folder === undefined) rmSync(this.folder, { recursive: true, force: true })
  }

  /** Brings the game a join secret, and starts the game first if there is none. */
  deliver(secret: string): void {
    if (this.#notify('ACTIVITY_JOIN', { secret })) return
    this.#secret = secret
    if (this.games > 0) return
    const { brand = 'service', launch = openLink } = this.#input
    launch(`${brand}-${this.#parts.context.seed.application.id}://`)
  }

  #subscribed(event: string): void {
    const secret = this.#secret
    if (event !== 'ACTIVITY_JOIN' || secret === undefined) return
    if (this.#notify(event, { secret })) this.#secret = undefined
  }

  /** The one who asked joins at once, if their program runs. */
  #answered(userId: string, answer: 'accepted' | 'refused'): void {
    const secret = this.#parts.host.stores.presences.joinSecret(this.#parts.player.id)
    if (answer === 'accepted' && secret !== undefined) this.#parts.programOf(userId)?.deliver(secret)
  }

  #notify(event: string, data: object): boolean {
    return [...this.#sessions].map((session) => session.notify(event, data)).includes(true)
  }

  #find(name: string): Player {
    return findPlayer(this.#parts.context.seed.players, name)
  }

  /** @throws EmulatorError `bad_request`. */
  #secretOf({ id, username }: Player): string {
    const secret = this.#parts.host.stores.presences.joinSecret(id)
    if (secret !== undefined) return secret
    throw new EmulatorError(
      'bad_request',
      `Nobody can join ${username}: the game has set no presence with a join secret.`,
    )
  }
}

/** Commands that open a link, by platform. */
const OPENERS: Readonly<Record<string, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a link by the program that the system has for its scheme. Not awaited: the game that it starts runs for long. A system without a program for the scheme opens nothing. */
function openLink(link: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  spawn(command, [...args, link], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
