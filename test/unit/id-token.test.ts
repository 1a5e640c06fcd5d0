/** What verifying an ID token needs around it: a platform that can, a caller who still wants it. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { verifyIdToken } from '../../src/tokens/id-token'
import { ACCESS_TOKEN, CLIENT_ID, createKey, ISSUER, NONCE, type SigningKey, TokenIssuer } from '../support/token-issuer'

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
  it('says that the platform cannot, rather than that the token is bad', async () => {
    const issuer = new TokenIssuer(ec)
    const token = await issuer.sign(ec)
    for (const crypto of [undefined, {}, { getRandomValues: () => undefined }]) {
      vi.stubGlobal('crypto', crypto)
      await expect(verifyIdToken(token, expectation(issuer), { keys: issuer.keySet() })).rejects.toMatchObject({ code: 'unsupported' })
    }
    expect(issuer.requests).toEqual([])
  })

  it('ends with the signal of its caller', async () => {
    const issuer = new TokenIssuer(ec)
    const controller = new AbortController()
    issuer.answer = () => new Promise(() => undefined)
    const verified = verifyIdToken(await issuer.sign(ec), expectation(issuer), { keys: issuer.keySet(), signal: controller.signal })
    controller.abort()
    await expect(verified).rejects.toMatchObject({ name: 'NetworkError', code: 'aborted' })
  })

  it('leaves a clock alone that is a few minutes off', async () => {
    const issuer = new TokenIssuer(ec)
    for (const seconds of [-300, -1, 0, 59]) {
      const token = await issuer.sign(ec, { iat: issuer.at(seconds), exp: issuer.at(seconds + 3600) })
      expect((await verifyIdToken(token, expectation(issuer), { keys: issuer.keySet() })).skew).toBe(0)
    }
  })
})
