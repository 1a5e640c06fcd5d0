/** A game that runs in separate processes, controlled through the socket that test/support/electron/game.mjs opens. */
import { connect, type Socket } from 'node:net'
import { until } from './until'

/** Remote control of a running game. */
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

  /** Runs a function in the main process; it gets `{ client, windows, log, secrets, electron, sdk, scheme }`. */
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
      this.#answers.set(id, ({ value, error }) =>
        error === undefined ? resolve(value as T) : reject(new Error(error)),
      )
      this.#socket.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }
}
