/** A game's main process that talks to the service's program: its client, what it logged, and time that passes. */
import { spawn } from 'node:child_process'
import type { MainClientOptions } from 'foyer-sdk/electron/main'
import { afterEach } from 'vitest'
import { lobbyWith } from './activity-client'
import { useMainProcessGame } from './electron/main-process-game'
import { ManualClock } from './manual-clock'
import { PublicProgram } from './public-program'
import { settle } from './settle'
import { CLIENT_ID, createTokenService, HOST } from './token-service'

/** Registers the hooks of the calling file. */
export function useDesktopGame() {
  const mainProcess = useMainProcessGame()
  const programs: PublicProgram[] = []
  const environment = { ...process.env }
  afterEach(async () => {
    for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP', 'FOYER_LOCAL_PROGRAM'])
      set(name, environment[name])
    await Promise.all(programs.splice(0).map((program) => program.remove()))
  })
  return {
    /** A folder for sockets without a program. */
    program(): PublicProgram {
      const program = new PublicProgram()
      programs.push(program)
      return program
    },
    /** A main process without the option. */
    plain: () => mainProcess.start({ service: { host: HOST } }),
    /** Files of programs that were killed: nobody listens. */
    deadSockets(program: PublicProgram, count: number): Promise<string[]> {
      return Promise.all(Array.from({ length: count }, (_, number) => killedSocket(program.path(number))))
    },
    async start({ folder }: PublicProgram, options: Partial<MainClientOptions> = {}) {
      set('XDG_RUNTIME_DIR', folder)
      for (const name of ['TMPDIR', 'TMP', 'TEMP', 'FOYER_LOCAL_PROGRAM']) set(name, undefined)
      const clock = new ManualClock()
      const service = await createTokenService(clock)
      const joined: unknown[] = []
      const game = mainProcess.start({
        applicationId: CLIENT_ID,
        service: { host: HOST },
        clock,
        localProgram: true,
        fetch: async (url, init) => {
          if (!url.endsWith('/lobbies')) return service.fetch(url, init)
          joined.push(Reflect.get(Object(await new Request(url, init).json()), 'secret'))
          return Response.json(lobbyWith(1))
        },
        ...options,
      })
      const { desktop } = game.client
      if (!desktop) throw new Error('no desktop')
      /** Lets ms pass in steps, with what each causes. */
      const pass = async (ms: number, step = 500) => {
        for (let passed = 0; passed < ms; passed += step) {
          clock.advance(Math.min(step, ms - passed))
          for (let turn = 0; turn < 8; turn++) await settle()
        }
      }
      return { ...game, clock, desktop, service, joined, pass, signIn: () => service.signIn(game.client) }
    },
  }
}

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

/** Node removes the file of a socket that it closes, so another process leaves it behind. */
async function killedSocket(path: string): Promise<string> {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  return path
}
