/** Delivers interactions as the service does: signed with a real key over the exact bytes of the body. */
import { webcrypto } from 'node:crypto'
import {
  createInteractionHandler,
  type InteractionError,
  type InteractionHandler,
  type InteractionHandlerOptions,
} from 'foyer-sdk/server'
import { ManualClock } from '../../support/manual-clock'

export const APPLICATION = '845027738276462632'
const GUILD = '290926798626357999'
const HOST = 'https://service.example'
export const TOKEN = 'A_UNIQUE_TOKEN'
export const USER = {
  id: '53908232506183680',
  username: 'Mason',
  avatar: 'a_d5efa99b3eeaa7dd43acca82f5692432',
  discriminator: '1337',
  public_flags: 131_141,
}
export const MEMBER = {
  user: USER,
  roles: ['539082325061836999'],
  premium_since: null,
  permissions: '2147483647',
  pending: false,
  nick: null,
  mute: false,
  joined_at: '2017-03-13T19:19:14.040000+00:00',
  is_pending: false,
  deaf: false,
  avatar: null,
}

export interface Sent {
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream | null
  headers?: Record<string, string | undefined>
}

export interface Call {
  method: string
  path: string
  body: unknown
  authorization: string | null
}

/** A key pair of the service for one application. */
export class Signer {
  readonly publicKey: string
  readonly sign: (message: Uint8Array<ArrayBuffer>) => Promise<string>

  private constructor(publicKey: string, sign: Signer['sign']) {
    this.publicKey = publicKey
    this.sign = sign
  }

  static async create(): Promise<Signer> {
    const pair = await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
    if (!('privateKey' in pair)) throw new Error('Not a pair.')
    const raw = await webcrypto.subtle.exportKey('raw', pair.publicKey)
    return new Signer(hex(raw), async (message) =>
      hex(await webcrypto.subtle.sign('Ed25519', pair.privateKey, message)),
    )
  }
}

const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))

/** The service: signs and delivers interactions, and receives API calls. */
export class Sender {
  readonly clock = new ManualClock()
  readonly calls: Call[] = []
  /** Responses to the next API calls. */
  readonly answers: (() => Response | Promise<Response>)[] = []
  readonly errors: InteractionError[] = []
  readonly handler: InteractionHandler
  /** Promises of running handlers. */
  readonly #work: Promise<unknown>[] = []
  readonly #signer: Signer

  constructor(
    signer: Signer,
    options: Partial<InteractionHandlerOptions> = {},
    reach: 'service' | 'alone' = 'service',
  ) {
    this.#signer = signer
    this.handler = createInteractionHandler({
      publicKey: signer.publicKey,
      commands: [],
      clock: this.clock,
      ...(reach === 'service' && { service: { host: HOST } }),
      fetch: this.#take,
      onError: (error) => this.errors.push(error),
      ...options,
    })
  }

  get codes(): string[] {
    return this.errors.map(({ code }) => code)
  }

  /** A signed request; `sent` replaces parts after signing. */
  async request(payload: unknown, sent: Sent = {}): Promise<Request> {
    const signed =
      payload instanceof Uint8Array
        ? new Uint8Array(payload)
        : bytesOf(typeof payload === 'string' ? payload : JSON.stringify(payload))
    const timestamp = String(Math.floor(this.clock.now() / 1000))
    const signature = await this.#signer.sign(new Uint8Array([...bytesOf(timestamp), ...signed]))
    const headers = new Headers({
      'content-type': 'application/json',
      'content-length': String(signed.length),
    })
    headers.set('x-signature-ed25519', signature)
    headers.set('x-signature-timestamp', timestamp)
    for (const [name, value] of Object.entries(sent.headers ?? {})) {
      if (value === undefined) headers.delete(name)
      else headers.set(name, value)
    }
    const body = sent.body === undefined ? signed : sent.body
    // `duplex` is missing in the DOM types and required for a stream.
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    return new Request('https://game.example/interactions', init)
  }

  async send(payload: unknown, sent?: Sent): Promise<Response> {
    return this.handle(await this.request(payload, sent))
  }

  handle(request: Request): Promise<Response> {
    return this.handler(request, { waitUntil: (work) => this.#work.push(work) })
  }

  /** Delivers, and returns status and decoded body. */
  async deliver(payload: unknown, sent?: Sent): Promise<{ status: number; body: unknown }> {
    const response = await this.send(payload, sent)
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

  /** Resolves when every handler has ended. */
  async finished(): Promise<void> {
    await Promise.all(this.#work)
  }

  readonly #take = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const authorization = new Headers(init.headers).get('authorization')
    this.calls.push({ method: init.method ?? 'GET', path: pathname + search, body, authorization })
    return (await this.answers.shift()?.()) ?? Response.json({ id: '77', channel_id: '1', content: '' })
  }
}

let serial = 0
export const nextId = (): string => String(786_008_729_715_212_000n + BigInt(++serial))

export const invocation = (data: object, rest: object = {}) => ({
  id: nextId(),
  application_id: APPLICATION,
  type: 2,
  token: TOKEN,
  version: 1,
  guild_id: GUILD,
  channel_id: '645027906669510667',
  guild_locale: 'pt-BR',
  locale: 'en-US',
  app_permissions: '442368',
  member: MEMBER,
  data: { id: '771825006014889984', ...data },
  ...rest,
})

export const slash = (name: string, options?: readonly object[], rest: object = {}) =>
  invocation({ name, type: 1, ...(options && { options }), ...rest })

export const PING = { id: '1', application_id: APPLICATION, type: 1, token: TOKEN, version: 1 }
