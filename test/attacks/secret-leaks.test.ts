/** Leaks of secrets through logs, crash reports and telemetry. */
import { AuthorizationResult, type LogEntry, Secret } from 'foyer-sdk'
import { format, inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { createTokenService, HOST, type TokenService } from '../support/token-service'

let service: TokenService
beforeEach(async () => {
  service = await createTokenService()
})

/** A value as logs, crash reports and telemetry print it. */
const written = (value: unknown): string =>
  [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    format('%s %o %O %j', value, value, value, value),
    JSON.stringify(value),
    String(value),
    Object.prototype.toString.call(value),
  ].join('\n')

/** All secrets in requests to the service and in its responses. */
function secretsOf({ sent }: TokenService): string[] {
  const names = ['code', 'code_verifier', 'refresh_token', 'token']
  const inForms = sent.flatMap(({ form }) => names.map((name) => form.get(name)))
  return [...inForms, 'access-1', 'refresh-1', 'access-2', 'refresh-2'].filter((text) => text !== null)
}

const found = (text: string, secrets: string[]) => secrets.filter((secret) => text.includes(secret))

describe('a secret', () => {
  it('attack/145 prints as [secret] in every format', () => {
    const secret = new Secret('the-value')
    for (const value of [
      secret,
      { secret },
      [[secret]],
      new Map([['key', secret]]),
      new Error('failed', { cause: secret }),
    ])
      expect(written(value)).not.toContain('the-value')
    expect([String(secret), JSON.stringify({ secret }), inspect({ secret })]).toEqual([
      '[secret]',
      '{"secret":"[secret]"}',
      '{ secret: [secret] }',
    ])
    expect(secret.reveal()).toBe('the-value')
  })

  it('attack/145 has no property that a crash report could read', () => {
    const secret = new Secret('the-value')
    expect(Reflect.ownKeys(secret)).toEqual([])
    expect(Object.entries(secret)).toEqual([])
    expect(structuredClone(secret)).toEqual({})
  })
})

describe('a signed-in client', () => {
  it('attack/145 prints no secret in its session, tokens, properties or log entries', async () => {
    const log: LogEntry[] = []
    const client = createClientAt(service, { logger: (entry) => log.push(entry) })
    client.on('log', (entry) => log.push(entry))
    const session = await service.signIn(client)
    const tokens = await client.refreshToken()
    service.override = async () =>
      Response.json({ error: 'server_error', error_description: 'access-1 refresh-2' }, { status: 500 })
    const error: unknown = await client.refreshToken().catch((reason: unknown) => reason)
    service.override = undefined
    await client.revokeToken()
    const secrets = secretsOf(service)
    expect(secrets).toContain('the-code')
    expect(log.length).toBeGreaterThan(5)
    for (const value of [session, session.tokens, tokens, log])
      expect(found(written(value), secrets)).toEqual([])
    expect(found(inspect(client, { depth: 20, showHidden: true }), secrets)).toEqual([])
    // Text of the service’s own response may be in an error, but sent values may not.
    expect(
      found(
        written(error),
        secrets.filter((secret) => !['access-1', 'refresh-2'].includes(secret)),
      ),
    ).toEqual([])
  })

  it('attack/145 prints neither code nor verifier of a result before it is redeemed', async () => {
    const client = createClientAt(service)
    const surface = scriptedSurface((url) => {
      service.claims = { nonce: url.searchParams.get('nonce') }
      return callbackTo(url, { iss: HOST })
    })
    const result = await client.authorize({ scopes: 'openid' }, { surface })
    expect(result).toBeInstanceOf(AuthorizationResult)
    const text = written(result)
    await client.getToken(result)
    const secrets = secretsOf(service)
    expect(secrets).toContain('the-code')
    expect(found(text, secrets)).toEqual([])
  })
})
