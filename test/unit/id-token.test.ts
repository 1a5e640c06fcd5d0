/** ID token verification: platform support, abort, and reported checks. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Check } from 'foyer-sdk'
import { verifyIdToken } from '../support/internals'
import {
  ACCESS_TOKEN,
  CLIENT_ID,
  createKey,
  ISSUER,
  NONCE,
  type SigningKey,
  TokenIssuer,
} from '../support/token-issuer'

let ec: SigningKey

beforeAll(async () => {
  ec = await createKey('ES256', 'ec')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const expectation = (issuer: TokenIssuer) => ({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  nonce: NONCE,
  accessToken: ACCESS_TOKEN,
  now: issuer.clock.now(),
})

describe('verifyIdToken', () => {
  it('reports a missing platform feature instead of an invalid token', async () => {
    const issuer = new TokenIssuer(ec)
    const token = await issuer.sign(ec)
    for (const crypto of [undefined, {}, { getRandomValues: () => undefined }]) {
      vi.stubGlobal('crypto', crypto)
      await expect(
        verifyIdToken(token, expectation(issuer), { keys: issuer.keySet() }),
      ).rejects.toMatchObject({ code: 'unsupported' })
    }
    expect(issuer.requests).toEqual([])
  })

  it("is aborted by the caller's signal", async () => {
    const issuer = new TokenIssuer(ec)
    const controller = new AbortController()
    issuer.answer = () => new Promise(() => undefined)
    const verified = verifyIdToken(await issuer.sign(ec), expectation(issuer), {
      keys: issuer.keySet(),
      signal: controller.signal,
    })
    controller.abort()
    await expect(verified).rejects.toMatchObject({ name: 'NetworkError', code: 'aborted' })
  })

  it('does not correct a clock that is off by a few minutes', async () => {
    const issuer = new TokenIssuer(ec)
    for (const seconds of [-300, -1, 0, 59]) {
      const token = await issuer.sign(ec, { iat: issuer.at(seconds), exp: issuer.at(seconds + 3600) })
      expect((await verifyIdToken(token, expectation(issuer), { keys: issuer.keySet() })).skew).toBe(0)
    }
  })

  it('reports each check with its outcome, without secrets', async () => {
    const issuer = new TokenIssuer(ec)
    const reports: (readonly Check[])[] = []
    const options = { keys: issuer.keySet(), report: (checks: readonly Check[]) => reports.push(checks) }
    await verifyIdToken(await issuer.sign(ec), expectation(issuer), options)
    await verifyIdToken(await issuer.sign(ec, { aud: 'another game' }), expectation(issuer), options).catch(
      () => undefined,
    )
    await verifyIdToken(
      await issuer.sign(ec, { exp: issuer.at(-90), iat: issuer.at(-200) }),
      expectation(issuer),
      options,
    ).catch(() => undefined)
    const [valid, foreign, late] = reports.map(
      (checks) => new Map(checks.map((check) => [check.check, check])),
    )
    expect([...(valid?.values() ?? [])].map(({ check, result }) => `${check} ${result}`)).toEqual([
      'header.alg passed',
      'signature passed',
      'iss passed',
      'aud passed',
      'azp absent',
      'exp passed',
      'iat passed',
      'nbf absent',
      'nonce passed',
      'sub passed',
      'at_hash absent',
    ])
    expect(foreign?.get('aud')).toEqual({
      check: 'aud',
      result: 'failed',
      expected: CLIENT_ID,
      got: 'another game',
    })
    expect(late?.get('exp')).toMatchObject({ result: 'failed', expected: 'ahead' })
    expect(JSON.stringify(reports)).not.toContain(NONCE)
  })

  it('reports the checks before keys that cannot be fetched', async () => {
    const issuer = new TokenIssuer(ec)
    const reports: (readonly Check[])[] = []
    issuer.answer = async () => new Response(null, { status: 503 })
    const options = { keys: issuer.keySet(), report: (checks: readonly Check[]) => reports.push(checks) }
    await expect(verifyIdToken(await issuer.sign(ec), expectation(issuer), options)).rejects.toMatchObject({
      code: 'keys_unavailable',
    })
    expect(reports).toEqual([[expect.objectContaining({ check: 'header.alg', result: 'passed' })]])
  })

  it('reports a signature by an unknown key', async () => {
    const issuer = new TokenIssuer(ec)
    const reports: (readonly Check[])[] = []
    const options = { keys: issuer.keySet(), report: (checks: readonly Check[]) => reports.push(checks) }
    const other = await createKey('ES256', 'ec')
    await verifyIdToken(await issuer.sign(other), expectation(issuer), options).catch(() => undefined)
    expect(reports).toEqual([
      [
        expect.objectContaining({ check: 'header.alg', result: 'passed' }),
        { check: 'signature', result: 'failed', expected: 'of a published key' },
      ],
    ])
  })
})
