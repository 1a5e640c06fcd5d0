/** Attacks through error contents: a game’s own fetch or surface that quotes a request, and a service that floods. */
import { inspect } from 'node:util'
import { ApiError, AuthorizationError, Client, type Fetch, FoyerError } from 'foyer-sdk'
import { ApplicationClient, botToken, type Fetch as ServerFetch } from 'foyer-sdk/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { formOf } from '../support/form-of'

const ID = '1287654321098765433'
const HOST = 'https://service.test'
const TOKEN = 'a-bot-token-that-nobody-may-read-0123456789'

/** Everything of an error that a log or a screen could show. */
const shown = (error: unknown): string =>
  `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${String(error)}`

async function rejectionOf(promise: Promise<unknown>): Promise<FoyerError> {
  const error: unknown = await promise.catch((reason: unknown) => reason)
  if (!(error instanceof FoyerError)) throw new Error(`not one of the SDK's errors: ${String(error)}`)
  return error
}

function createClient(fetch: Fetch): Client {
  const client = new Client({ applicationId: ID, service: { host: HOST }, fetch })
  onTestFinished(() => client.close())
  return client
}

const rejectionOfResponse = (body: string): Promise<FoyerError> => {
  const response: ServerFetch = async () =>
    new Response(body, { status: 400, headers: { 'content-type': 'application/json' } })
  const client = new ApplicationClient({
    applicationId: ID,
    service: { host: HOST },
    credentials: botToken(TOKEN),
    fetch: response,
  })
  onTestFinished(() => client.close())
  return rejectionOf(client.commands.global.list())
}

describe('the cause of an error', () => {
  it('attack/156 from a fetch of the game keeps name, code and message without the quoted request', async () => {
    const quoted: string[] = []
    const client = createClient(async (url, init) => {
      if (url.endsWith('/keys')) return Response.json({ keys: [] })
      const form = formOf(init)
      quoted.push(form.get('code_verifier') ?? '', form.get('code') ?? '')
      const error = new TypeError(
        `proxy down\u001b[31m at https://proxy.test/?${form.toString()}\n${JSON.stringify(Object.fromEntries(form))}`,
      )
      throw Object.assign(error, {
        code: 'EPROXY',
        request: { body: form.toString() },
        cause: new Error(form.toString()),
      })
    })
    const surface = scriptedSurface((url) => callbackTo(url, { code: 'c0de-of-one-use', iss: HOST }))
    const error = await rejectionOf(client.signIn({ surface, args: { scopes: 'openid' } }))
    expect(error).toMatchObject({ code: 'connection_failed', cause: { name: 'TypeError', code: 'EPROXY' } })
    expect(String(error.cause)).toContain('proxy down')
    expect(shown(error)).not.toContain('\\x1B')
    expect(quoted).toHaveLength(2)
    for (const secret of quoted) expect(shown(error)).not.toContain(secret)
  })

  it('attack/156 from a surface of the game keeps its stack without URLs', async () => {
    let state = ''
    const surface = scriptedSurface((url) => {
      state = url.searchParams.get('state') ?? ''
      throw new Error(`cannot open ${url.href}`)
    })
    const error = await rejectionOf(createClient(fetch).authorize({ scopes: 'openid' }, { surface }))
    expect(error).toMatchObject({
      code: 'surface_failed',
      retryable: false,
      cause: { message: expect.stringContaining('cannot open') as string },
    })
    expect(shown(error)).toContain('error-contents.test.ts')
    expect(state).not.toBe('')
    expect(shown(error)).not.toContain(state)
  })

  it('attack/156 is short, whatever was thrown', async () => {
    const surface = scriptedSurface(() => {
      throw new Error('x y '.repeat(500_000))
    })
    const error = await rejectionOf(createClient(fetch).authorize({ scopes: 'openid' }, { surface }))
    expect(shown(error).length).toBeLessThan(10_000)
  })

  it.each([
    ['null', null],
    ['a number', 7],
    ['an object', { token: TOKEN }],
    ['a string', `token=${TOKEN}`],
  ])('attack/156 may be something other than an error: %s', async (_, thrown) => {
    const surface = scriptedSurface(() => Promise.reject(thrown))
    const error = await rejectionOf(createClient(fetch).authorize({ scopes: 'openid' }, { surface }))
    expect(error.code).toBe('surface_failed')
    expect(shown(error)).not.toContain(TOKEN)
  })
})

describe('the issues of an error response', () => {
  it('attack/156 are short, printable and few', async () => {
    const leaf = { code: 'BAD\u001b[2J', message: `\u001b]0;title\u0007${'m'.repeat(2_000_000)}` }
    const many = Array.from({ length: 200_000 }, () => ({ code: 'X', message: 'y' }))
    const error = await rejectionOfResponse(
      JSON.stringify({
        code: 50_035,
        errors: { ['n'.repeat(100_000)]: { _errors: [leaf] }, options: { _errors: many } },
      }),
    )
    if (!(error instanceof ApiError)) throw error
    expect(error.code).toBe('invalid_body')
    expect(error.issues).toHaveLength(100)
    expect(shown(error)).not.toMatch(/\\x1B|\\u001b|\\x07/)
    expect(
      Math.max(...(error.issues ?? []).map(({ path, message }) => path.length + message.length)),
    ).toBeLessThanOrEqual(400)
  })

  it.each([5000, 200_000])(
    'attack/157 nested %i deep reject with a typed error that is not retryable',
    async (depth) => {
      const error = await rejectionOfResponse(
        `{"code":50035,"errors":${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}}`,
      )
      expect(error).toMatchObject({ name: 'ApiError', retryable: false })
    },
  )
})

describe('the emulator’s reason', () => {
  it('is included in the error and its message, short and printable', async () => {
    const headers = { 'x-emulator-rule': `the application has no such scope ${'!'.repeat(9000)}` }
    const client = createClient(async (url) =>
      url.endsWith('/keys')
        ? Response.json({ keys: [] })
        : Response.json({ error: 'invalid_scope' }, { status: 400, headers }),
    )
    const entries: unknown[] = []
    client.on('log', (entry) => entries.push(entry))
    const surface = scriptedSurface((url) => callbackTo(url, { iss: HOST }))
    const error = await rejectionOf(client.signIn({ surface, args: { scopes: 'openid' } }))
    if (!(error instanceof AuthorizationError)) throw error
    expect(error).toMatchObject({ code: 'invalid_scope', retryable: false })
    expect(error.emulatorRule).toMatch(/^the application has no such scope/)
    expect(error.emulatorRule?.length).toBeLessThanOrEqual(200)
    expect(error.message).toContain('(emulator: the application has no such scope')
    expect(entries).toContainEqual({
      level: 'warn',
      step: 'token.refused',
      data: { code: 'invalid_scope', rule: error.emulatorRule },
    })
  })
})

it.each(['constructor', '__proto__', 'toString'])(
  'an OAuth error named like an Object.prototype member stays text: %s',
  async (text) => {
    const client = createClient(async () => Response.json({ error: text }, { status: 400 }))
    const surface = scriptedSurface((url) => callbackTo(url, { iss: HOST }))
    const error = await rejectionOf(client.signIn({ surface, args: { scopes: 'openid' } }))
    expect(error).toMatchObject({
      code: 'authorization_failed',
      message: 'authorization failed',
      serviceError: text,
    })
  },
)
