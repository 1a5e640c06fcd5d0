/** Sign-ins by public libraries, unchanged. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  atEmulator,
  REDIRECT_URIS,
  signInWithArctic,
  signInWithBetterAuth,
  signInWithOpenidClient,
  type SignIn,
} from '../support/foreign-clients/sign-ins'
import { beginSignIn, redirectUri } from './support/sign-in-client'

let emulator: Emulator
beforeEach(async () => {
  const redirectUris = [...Object.values(REDIRECT_URIS), redirectUri]
  emulator = await createEmulator({ seed: { application: { redirectUris } } })
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await emulator.close()
})

const SIGN_INS: Record<string, SignIn> = {
  'openid-client': signInWithOpenidClient,
  arctic: signInWithArctic,
}

describe('a sign-in', () => {
  it.each(Object.entries(SIGN_INS))('of %s, a refresh and a revocation work', async (_name, signIn) => {
    expect(await signIn(emulator, 'ada')).toEqual({ name: 'ada', email: 'ada@players.example' })
  })

  it('of better-auth with its defaults works for a player who has approved before', async () => {
    const real = fetch
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
      input instanceof Request ? real(input, init) : real(atEmulator(String(input), emulator), init),
    )
    const { url } = await beginSignIn(emulator, { scope: 'identify email', nonce: undefined })
    await emulator.authorize(url, { as: 'ada' })
    expect(await signInWithBetterAuth(emulator, 'ada')).toEqual({
      name: 'Ada Quinn',
      email: 'ada@players.example',
    })
  })
})

/** The error of the redirect, or `code`. */
async function ask(as: string, changes: Record<string, string> = {}): Promise<string> {
  const { url } = await beginSignIn(emulator, changes)
  const { redirect } = await emulator.authorize(url, { as })
  const { searchParams } = new URL(redirect)
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : redirect)
}

const silently = (as: string, scope = 'openid identify') => ask(as, { scope, prompt: 'none' })

describe('prompt=none', () => {
  it('gives a code to the player who has approved these scopes, and to no other', async () => {
    expect(await silently('ada')).toBe('login_required')
    expect(await ask('ada', { scope: 'openid identify' })).toBe('code')
    expect(await silently('ada')).toBe('code')
    expect(await silently('ada')).toBe('code')
    expect(await silently('ada', 'openid identify email')).toBe('interaction_required')
    expect(await silently('bruno')).toBe('login_required')
  })

  it('gives none after the player has refused, or after a reset', async () => {
    const { url } = await beginSignIn(emulator, { scope: 'openid identify' })
    await emulator.authorize(url, { as: 'ada', deny: true })
    expect(await silently('ada')).toBe('login_required')
    await emulator.authorize(url, { as: 'ada' })
    emulator.reset()
    expect(await silently('ada')).toBe('login_required')
  })
})
