/** One game at the socket of the service's program: handshake, commands and subscriptions. */
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { ActivityHost } from '../activity/activity-host.js'
import { authenticatedUser, readyUser } from '../activity/rpc-context.js'
import * as frames from '../activity/rpc-messages.js'
import { encodeFrame, FrameReader, PING, PONG } from './frames.js'
import type { Socket } from 'node:net'

const EVENTS: ReadonlySet<string> = new Set([
  'ACTIVITY_JOIN',
  'ACTIVITY_JOIN_REQUEST',
  'ACTIVITY_INVITE',
  'ACTIVITY_SPECTATE',
])

export interface ProgramSessionParts {
  context: EmulatorContext
  host: ActivityHost
  player: Player
  authenticate: 'optional' | 'required'
  /** The game subscribed to an event. */
  subscribed: (event: string) => void
  /** The game answers the request of a user to join. */
  answered: (userId: string, answer: 'accepted' | 'refused') => void
  /** The connection has ended. */
  ended: (session: ProgramSession) => void
}

export class ProgramSession {
  readonly #parts: ProgramSessionParts
  readonly #socket: Socket
  readonly #subscriptions = new Set<string>()
  #connected = false
  #authenticated = false
  /** True once this game has set a presence. */
  #shows = false

  constructor(socket: Socket, parts: ProgramSessionParts) {
    this.#socket = socket
    this.#parts = parts
    const reader = new FrameReader()
    socket.on('error', () => undefined)
    socket.on('close', () => this.#end())
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const { opcode, payload } of reader.read(chunk)) void this.#receive(opcode, payload)
      } catch {
        this.#close(frames.CLOSE_CODE.normal, 'A frame is longer than 64 KiB')
      }
    })
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Sends an event if the game has subscribed to it. Returns true if it was sent. */
  notify(event: string, data: unknown): boolean {
    const fits = this.#connected && this.#subscriptions.has(event)
    if (fits) this.#send(frames.dispatch(event, data))
    return fits
  }

  end(): void {
    this.#socket.destroy()
  }

  async #receive(opcode: number, payload: unknown): Promise<void> {
    if (opcode === PING) return void this.#socket.write(encodeFrame(PONG, payload))
    if (opcode === frames.OPCODE.handshake) return this.#shakeHands(fieldsOf(payload))
    if (opcode === frames.OPCODE.close) return void this.#socket.end()
    if (opcode === frames.OPCODE.frame) await this.#run(fieldsOf(payload))
  }

  #shakeHands({ v, client_id: clientId }: Record<string, unknown>): void {
    const { context, player } = this.#parts
    if (Number(v) !== 1) return this.#close(frames.CLOSE_CODE.invalidVersion, 'Invalid version: v must be 1')
    if (clientId !== context.seed.application.id)
      return this.#close(
        frames.CLOSE_CODE.invalidClientId,
        'Invalid client id: it is not the application here',
      )
    this.#connected = true
    const config = { cdn_host: context.url, api_endpoint: `${context.url}/api`, environment: 'emulator' }
    this.#send(frames.dispatch('READY', { v: 1, config, user: readyUser(player) }))
  }

  async #run(payload: Record<string, unknown>): Promise<void> {
    const command = frames.readCommand(payload)
    const named = { cmd: textOf(payload['cmd']) ?? 'DISPATCH', nonce: command?.nonce ?? null }
    try {
      if (command === undefined || !this.#connected)
        throw new frames.RpcError(
          frames.ERROR_CODE.invalidPayload,
          'Invalid payload: cmd and nonce must be texts, after a handshake',
        )
      this.#send(frames.reply(command, await this.#answer(command)))
      if (command.cmd === 'SUBSCRIBE') this.#parts.subscribed(command.evt ?? '')
    } catch (error) {
      if (!(error instanceof frames.RpcError)) throw error
      this.#send(frames.refusal(named, error))
    }
  }

  #answer(command: frames.Command): unknown {
    const { cmd, args } = command
    if (cmd === 'AUTHENTICATE') return this.#authenticate(textOf(args['access_token']) ?? '')
    if (this.#parts.authenticate === 'required' && !this.#authenticated)
      throw new frames.RpcError(
        frames.ERROR_CODE.invalidPermissions,
        `Invalid permissions: ${cmd} needs AUTHENTICATE first`,
      )
    if (cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE') return this.#subscribe(command)
    if (cmd === 'SET_ACTIVITY') return this.#setActivity(args)
    const answer = ANSWERS.get(cmd)
    if (answer === undefined)
      throw new frames.RpcError(frames.ERROR_CODE.invalidCommand, `Invalid command: there is no ${cmd}`)
    this.#parts.answered(textOf(args['user_id']) ?? '', answer)
    return null
  }

  #subscribe({ cmd, evt = '' }: frames.Command): { evt: string } {
    if (!EVENTS.has(evt)) throw new frames.RpcError(frames.ERROR_CODE.invalidEvent, `Invalid event: ${evt}`)
    if (cmd === 'SUBSCRIBE') this.#subscriptions.add(evt)
    else this.#subscriptions.delete(evt)
    return { evt }
  }

  #setActivity({ pid, activity }: Record<string, unknown>): unknown {
    const { host, player } = this.#parts
    if (typeof pid !== 'number')
      throw new frames.RpcError(frames.ERROR_CODE.invalidPayload, 'Invalid payload: pid must be a number')
    const { presences } = host.stores
    const presence = isObject(activity) ? presences.set(player.id, activity) : undefined
    if (presence === undefined) presences.delete(player.id)
    this.#shows = presence !== undefined
    host.presenceChanged(player.id)
    return presence ?? null
  }

  async #authenticate(token: string): Promise<unknown> {
    const { host, player, context } = this.#parts
    const bearer = await host.findBearer(token)
    if (typeof bearer === 'string' || bearer.kind !== 'player' || bearer.player.id !== player.id)
      throw new frames.RpcError(
        frames.ERROR_CODE.invalidToken,
        'Invalid token: it is not of the user of this program',
      )
    this.#authenticated = true
    const { id, name } = context.seed.application
    return {
      user: authenticatedUser(player),
      scopes: [...bearer.scopes],
      expires: new Date(bearer.expires * 1000).toISOString(),
      application: { id, name, description: '', icon: null, rpc_origins: [] },
    }
  }

  #send([opcode, payload]: frames.Outgoing): void {
    this.#socket.write(encodeFrame(opcode, payload))
  }

  #close(code: number, message: string): void {
    const [opcode, payload] = frames.closing(code, message)
    this.#socket.end(encodeFrame(opcode, payload))
  }

  /** The presence of a game ends with it. */
  #end(): void {
    const { host, player, ended } = this.#parts
    this.#connected = false
    if (this.#shows && host.stores.presences.delete(player.id)) host.presenceChanged(player.id)
    ended(this)
  }
}

/** The documented name of a refusal, and the one that public clients use. */
const ANSWERS: ReadonlyMap<string, 'accepted' | 'refused'> = new Map([
  ['SEND_ACTIVITY_JOIN_INVITE', 'accepted'],
  ['CLOSE_ACTIVITY_REQUEST', 'refused'],
  ['CLOSE_ACTIVITY_JOIN_REQUEST', 'refused'],
])
