/** A device that signs its player in at the emulator, with both clocks controlled by the test. */
import type { Emulator } from 'foyer-emulator'
import { Client, type ClientOptions, type DeviceUserCode, type TokenSet } from 'foyer-sdk'
import { ManualClock } from './manual-clock'

export interface DeviceSignIn {
  /** Starts the sign-in; by default `getTokenFromDevice` with the communication scopes. */
  begin?: (
    client: Client,
    options: { onUserCode: (code: DeviceUserCode) => void; signal?: AbortSignal },
  ) => Promise<TokenSet>
  signal?: AbortSignal
  options?: Partial<ClientOptions>
}

export class WaitingDevice {
  readonly clock = new ManualClock(Date.now())
  readonly client: Client
  /** Waits after each poll without a result, in ms. */
  readonly intervals: number[] = []
  readonly code: Promise<DeviceUserCode>
  readonly outcome: Promise<TokenSet>
  readonly #emulator: Emulator
  #settled = false
  #wake = () => undefined as void

  constructor(emulator: Emulator, { begin = communication, signal, options }: DeviceSignIn = {}) {
    this.#emulator = emulator
    this.client = new Client({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
      clock: this.clock,
      logger: ({ step, data }) => {
        if (step !== 'device.waiting') return
        this.intervals.push(Number(data['interval']))
        this.#wake()
      },
      ...options,
    })
    let outcome!: Promise<TokenSet>
    this.code = new Promise((resolve, reject) => {
      outcome = begin(this.client, { onUserCode: resolve, ...(signal && { signal }) })
      outcome.catch(reject)
    })
    this.outcome = outcome
    this.code.catch(() => undefined)
    const settle = () => {
      this.#settled = true
      this.#wake()
    }
    outcome.then(settle, settle)
  }

  /** Number of token requests of the device. */
  get tokenRequests(): number {
    return this.#emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length
  }

  /** Advances the device and the service, and waits for the effect: the next wait, or the end. */
  async pass(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#emulator.advance(ms)
    this.clock.advance(ms)
    if (!this.#settled) await woken
  }
}

const communication = (client: Client, options: Parameters<Client['accounts']['getTokenFromDevice']>[1]) =>
  client.accounts.getTokenFromDevice({ scopes: Client.getDefaultCommunicationScopes() }, options)
