/** One game in one frame: shakes hands, answers its commands, and tells it what it subscribed to. */
import type { Service } from '../service.js'
import { commands, events, isKnown, unsupported } from './rpc-commands.js'
import type { Desk, Game, Place } from './rpc-desk.js'
import * as rpc from './rpc-frame.js'
import { readyUser } from './rpc-users.js'

export class RpcSession implements Game {
  readonly place: Place
  readonly #service: Service
  readonly #desk: Desk
  readonly #send: (message: rpc.Outgoing) => void
  readonly #subscribed = new Set<string>()
  #connected = false
  scopes: ReadonlySet<string> = new Set()

  constructor(place: Place, { service, desk, send }: { service: Service; desk: Desk; send: (message: rpc.Outgoing) => void }) {
    this.place = place
    this.#service = service
    this.#desk = desk
    this.#send = send
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Takes one message of the game; whatever it is, this does not fail. */
  async receive(message: unknown): Promise<void> {
    const read = rpc.readMessage(message)
    if (read === undefined) return
    if (read.op === rpc.opcode.handshake) this.#shakeHands(read.payload)
    else if (read.op === rpc.opcode.close) this.#end()
    else if (read.op === rpc.opcode.frame) await this.#run(read.payload)
  }

  /** Tells the game, when it wants to hear of this. */
  tell(event: string, data: unknown): void {
    if (this.#connected && this.#subscribed.has(event)) this.#send(rpc.dispatch(event, data))
  }

  close(code: number, message: string): void {
    this.#send(rpc.closing(code, message))
    this.#end()
  }

  /** The frame loads anew, or is gone: nothing of the old game's is left. */
  #end(): void {
    this.#connected = false
    this.#subscribed.clear()
    this.scopes = new Set()
    this.#desk.disconnected(this)
  }

  #shakeHands({ v, encoding, client_id: clientId, frame_id: frameId }: Record<string, unknown>): void {
    if (this.#connected) this.#end()
    const { application } = this.#service.seed
    if (v !== 1) return this.close(rpc.closeCode.invalidVersion, 'Invalid version: v must be 1')
    if (encoding !== undefined && encoding !== 'json') return this.close(rpc.closeCode.invalidEncoding, 'Invalid encoding: only json')
    if (clientId !== application.id) return this.close(rpc.closeCode.invalidClientId, 'Invalid client id: it is not the application here')
    if (frameId !== this.place.frameId)
      return this.close(rpc.closeCode.invalidOrigin, 'Invalid frame id: it is not the one of the address of this frame')
    this.#connected = true
    const config = { cdn_host: this.#service.url, api_endpoint: `${this.#service.url}/api`, environment: 'emulator' }
    this.#send(rpc.dispatch('READY', { v: 1, config, user: readyUser(this.place.player, this.#service.url) }))
    this.#desk.connected(this)
  }

  async #run(payload: Record<string, unknown>): Promise<void> {
    const command = rpc.readCommand(payload)
    const named = { cmd: typeof payload['cmd'] === 'string' ? payload['cmd'] : 'DISPATCH', nonce: command?.nonce ?? null }
    try {
      if (command === undefined) throw new rpc.RpcError(rpc.errorCode.invalidPayload, 'Invalid payload: cmd and nonce must be texts')
      if (!this.#connected) throw new rpc.RpcError(rpc.errorCode.invalidPayload, 'Invalid payload: no handshake came before')
      this.#send(rpc.reply(command, await this.#answer(command)))
    } catch (error) {
      if (!(error instanceof rpc.RpcError)) console.error(error)
      const failed = new rpc.RpcError(rpc.errorCode.unknown, 'the emulator failed; its terminal says more')
      this.#send(rpc.refusal(named, error instanceof rpc.RpcError ? error : failed))
    }
  }

  #answer(command: rpc.Command): unknown {
    if (command.cmd === 'SUBSCRIBE' || command.cmd === 'UNSUBSCRIBE') return this.#subscribe(command)
    const run = Object.hasOwn(commands, command.cmd) ? commands[command.cmd] : undefined
    if (run !== undefined) return run(command.args, { session: this, desk: this.#desk, service: this.#service })
    if (isKnown(command.cmd)) throw unsupported(command.cmd)
    throw new rpc.RpcError(rpc.errorCode.invalidCommand, `Invalid command: there is no ${command.cmd}`)
  }

  #subscribe({ cmd, evt }: rpc.Command): { evt: string } {
    if (evt === undefined || !events.known.has(evt)) throw new rpc.RpcError(rpc.errorCode.invalidEvent, `Invalid event: ${evt ?? '(none)'}`)
    if (!events.told.has(evt)) throw unsupported(evt)
    if (cmd === 'SUBSCRIBE') this.#subscribed.add(evt)
    else this.#subscribed.delete(evt)
    return { evt }
  }
}
