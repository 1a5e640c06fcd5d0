/** RPC session of one game in one frame: handshake, command responses, and subscribed events. */
import type { EmulatorContext } from '../../state/emulator-context.js'
import { runCommand } from './run-command.js'
import type { RpcContext, AuthorizedFrame, FrameLocation } from './rpc-context.js'
import * as frames from './rpc-messages.js'
import { Subscriptions } from './subscriptions.js'
import { readyUser } from './rpc-context.js'

export class RpcSession implements AuthorizedFrame {
  readonly place: FrameLocation
  readonly #context: EmulatorContext
  readonly #rpc: RpcContext
  readonly #send: (message: frames.Outgoing) => void
  readonly #subscriptions = new Subscriptions()
  #connected = false
  scopes: ReadonlySet<string> = new Set()

  constructor(
    place: FrameLocation,
    {
      context,
      rpc,
      send,
    }: { context: EmulatorContext; rpc: RpcContext; send: (message: frames.Outgoing) => void },
  ) {
    this.place = place
    this.#context = context
    this.#rpc = rpc
    this.#send = send
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Handles one message of the game. Never rejects. */
  async receive(message: unknown): Promise<void> {
    const read = frames.readMessage(message)
    if (read === undefined) return
    if (read.op === frames.OPCODE.handshake) this.#shakeHands(read.payload)
    else if (read.op === frames.OPCODE.close) this.#end()
    else if (read.op === frames.OPCODE.frame) await this.#run(read.payload)
  }

  /** Sends an event if the game has subscribed to it, with arguments that agree with `about`. Returns true if it was sent. */
  notify(event: string, data: unknown, about: Record<string, string> = {}): boolean {
    const fits = this.#connected && this.#subscriptions.fits(event, about)
    if (fits) this.#send(frames.dispatch(event, data))
    return fits
  }

  close(code: number, message: string): void {
    this.#send(frames.closing(code, message))
    this.#end()
  }

  /** The frame reloads, or was removed: drops all state of the old game. */
  #end(): void {
    this.#connected = false
    this.#subscriptions.clear()
    this.scopes = new Set()
    this.#rpc.disconnected(this)
  }

  #shakeHands({ v, encoding, client_id: clientId, frame_id: frameId }: Record<string, unknown>): void {
    if (this.#connected) this.#end()
    const { application } = this.#context.seed
    if (v !== 1) return this.close(frames.CLOSE_CODE.invalidVersion, 'Invalid version: v must be 1')
    if (encoding !== undefined && encoding !== 'json')
      return this.close(frames.CLOSE_CODE.invalidEncoding, 'Invalid encoding: only json')
    if (clientId !== application.id)
      return this.close(
        frames.CLOSE_CODE.invalidClientId,
        'Invalid client id: it is not the application here',
      )
    if (frameId !== this.place.frameId)
      return this.close(
        frames.CLOSE_CODE.invalidOrigin,
        'Invalid frame id: it is not the one of the address of this frame',
      )
    this.#connected = true
    const config = {
      cdn_host: this.#context.url,
      api_endpoint: `${this.#context.url}/api`,
      environment: 'emulator',
    }
    this.#send(frames.dispatch('READY', { v: 1, config, user: readyUser(this.place.player) }))
    this.#rpc.connected(this)
  }

  async #run(payload: Record<string, unknown>): Promise<void> {
    const command = frames.readCommand(payload)
    const named = {
      cmd: typeof payload['cmd'] === 'string' ? payload['cmd'] : 'DISPATCH',
      nonce: command?.nonce ?? null,
    }
    try {
      if (command === undefined)
        throw new frames.RpcError(
          frames.ERROR_CODE.invalidPayload,
          'Invalid payload: cmd and nonce must be texts',
        )
      if (!this.#connected)
        throw new frames.RpcError(
          frames.ERROR_CODE.invalidPayload,
          'Invalid payload: no handshake came before',
        )
      this.#send(frames.reply(command, await this.#answer(command)))
      if (command.cmd === 'SUBSCRIBE') this.#rpc.subscribed(this, command.evt ?? '')
    } catch (error) {
      if (!(error instanceof frames.RpcError)) console.error(error)
      const failed = new frames.RpcError(
        frames.ERROR_CODE.unknown,
        'the emulator failed; its terminal says more',
      )
      this.#send(frames.refusal(named, error instanceof frames.RpcError ? error : failed))
    }
  }

  #answer(command: frames.Command): unknown {
    const context = { session: this, rpc: this.#rpc, context: this.#context }
    if (command.cmd === 'SUBSCRIBE' || command.cmd === 'UNSUBSCRIBE')
      return this.#subscriptions.change(command, context)
    return runCommand(command, context)
  }
}
