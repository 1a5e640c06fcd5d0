/** Responding to an interaction: the whole endpoint compared with a bare signature check, and the router alone with parsing the same body. */
// Imported from the source: the router is not exported. The server entry is built from these files.
import { defineCommand } from '../../src/server/index'
import { createHandler, decodeInteraction, Router, systemClock, timesOf } from '../../test/support/internals'
import { compare, type Comparison, type Round } from '../measure'

const TEXT = new TextEncoder()
const URL = 'https://game.example/interactions'
const ANSWER = JSON.stringify({ type: 4, data: { content: 'animal_dog' } })

const blep = defineCommand(
  {
    name: 'blep',
    description: 'Send a random adorable animal photo',
    options: [
      {
        type: 3,
        name: 'animal',
        description: 'The type of animal',
        required: true,
        choices: [
          { name: 'Dog', value: 'animal_dog' },
          { name: 'Cat', value: 'animal_cat' },
        ],
      },
      { type: 5, name: 'only_smol', description: 'Whether to show only baby animals' },
    ],
  },
  ({ options }) => options.animal,
)

/** An interaction as in the interface documentation, with a fresh id. */
const payload = (serial: number): string =>
  JSON.stringify({
    id: String(786_008_729_715_212_000n + BigInt(serial)),
    application_id: '845027738276462632',
    type: 2,
    token: 'A_UNIQUE_TOKEN',
    version: 1,
    guild_id: '290926798626357999',
    channel_id: '645027906669510667',
    guild_locale: 'pt-BR',
    locale: 'en-US',
    app_permissions: '442368',
    member: {
      user: {
        id: '53908232506183680',
        username: 'Mason',
        avatar: 'a_d5efa99b3eeaa7dd',
        discriminator: '1337',
        public_flags: 131_141,
      },
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
    },
    data: {
      id: '771825006014889984',
      name: 'blep',
      type: 1,
      options: [
        { type: 3, name: 'animal', value: 'animal_dog' },
        { type: 5, name: 'only_smol', value: true },
      ],
    },
  })

/** The whole handler compared with the minimum that is safe: read, verify, send the same response. */
export async function runEndpoint(): Promise<Comparison> {
  const { publicKey, sign } = await createSigner()
  const handler = createHandler({ publicKey: hex(publicKey), commands: [blep] }, undefined)
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  const bare = async (request: Request): Promise<Response> => {
    const timestamp = request.headers.get('x-signature-timestamp') ?? ''
    const signature = Buffer.from(request.headers.get('x-signature-ed25519') ?? '', 'hex')
    const body = await request.text()
    const valid = await crypto.subtle.verify('Ed25519', key, signature, TEXT.encode(timestamp + body))
    return valid
      ? new Response(ANSWER, { headers: { 'content-type': 'application/json' } })
      : new Response('invalid request signature', { status: 401 })
  }
  const round =
    (endpoint: (request: Request) => Promise<Response>): Round =>
    async (operations) => {
      const requests = await Promise.all(Array.from({ length: operations }, sign))
      const begin = performance.now()
      const responses: Response[] = []
      for (const request of requests) responses.push(await endpoint(request))
      const time = performance.now() - begin
      for (const response of responses)
        if ((await response.text()) !== ANSWER) throw new Error('Another answer was expected.')
      return time
    }
  return compare(round(handler), round(bare), { rounds: 60, operations: 200 })
}

const report = (): never => {
  throw new Error('Nothing should go wrong.')
}

/** From a verified body to the bytes of the response, compared with parsing that body. */
export async function runRouter(): Promise<Comparison> {
  const clock = systemClock
  const router = new Router({
    commands: [blep],
    clock,
    report,
    calls: undefined,
    errorMessage: () => '',
    onComponent: undefined,
    onModal: undefined,
    visibility: undefined,
    deferAfter: 2000,
  })
  const text = payload(1)
  const ours: Round = async (operations) => {
    const begin = performance.now()
    for (let operation = 0; operation < operations; operation++) {
      const interaction = decodeInteraction(JSON.parse(text))
      if (typeof interaction === 'string' || interaction.type === 1)
        throw new Error('An invocation was expected.')
      if ((await router.dispatch(interaction, timesOf(clock.now(), clock.now())).first)?.content !== ANSWER)
        throw new Error('Another answer was expected.')
    }
    return performance.now() - begin
  }
  const peer: Round = async (operations) => {
    const begin = performance.now()
    for (let operation = 0; operation < operations; operation++) {
      const { type }: { type: number } = await JSON.parse(text)
      if (type !== 2) throw new Error('An invocation was expected.')
    }
    return performance.now() - begin
  }
  return compare(ours, peer, { rounds: 50, operations: 5000 })
}

/** Creates a signing key of the service, and fresh signed requests. */
async function createSigner() {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('A pair was expected.')
  const { privateKey } = pair
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  let serial = 0
  const sign = async (): Promise<Request> => {
    const body = payload(++serial)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = hex(
      new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, TEXT.encode(timestamp + body))),
    )
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-signature-ed25519': signature,
      'x-signature-timestamp': timestamp,
    }
    return new Request(URL, { method: 'POST', body, headers })
  }
  return { publicKey, sign }
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
