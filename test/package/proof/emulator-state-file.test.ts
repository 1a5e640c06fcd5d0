/** Contents of a state file: every acknowledged change survives a crash of the process. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Cli } from '../../emulator/support/run-cli.js'
import { beginSignIn, json, redirectUri } from '../../emulator/support/sign-in-client.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-state-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The part of an emulator that another process prints. */
async function remote(cli: Cli): Promise<Pick<Emulator, 'url' | 'application' | 'controlToken'>> {
  const values = await cli.ready()
  const text = (name: string) => String(values[name])
  const application = {
    id: text('applicationId'),
    name: '',
    redirectUris: [],
    children: [],
    botToken: text('botToken'),
    clientSecret: text('clientSecret'),
    publicKey: text('publicKey'),
  }
  return { url: text('url'), controlToken: text('controlToken'), application }
}

function post(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${url}/api/v10/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) })
}

describe('a state file', () => {
  it('keeps tokens, codes, credentials, keys and lobbies after kill -9', async () => {
    const state = join(folder, 'killed.db')
    const args = ['start', '--port', '0', '--json', '--state', state]
    const first = new Cli(args)
    const before = await remote(first)
    const code = async () => {
      const attempt = await beginSignIn(before)
      const headers = { authorization: `Bearer ${before.controlToken}` }
      const body = JSON.stringify({ url: attempt.url, as: 'ada' })
      const response = await json(
        await fetch(`${before.url}/_emulator/authorize`, { method: 'POST', headers, body }),
      )
      const { searchParams } = new URL(String(response['redirect']))
      return {
        grant_type: 'authorization_code',
        client_id: before.application.id,
        redirect_uri: redirectUri,
        code_verifier: attempt.verifier,
        code: searchParams.get('code') ?? '',
      }
    }
    const used = await code()
    const tokens = await json(await post(before.url, used))
    const unused = await code()
    const lobbies = (url: string, rest: string, init: RequestInit = {}) => {
      const headers = {
        authorization: `Bearer ${String(tokens['access_token'])}`,
        'content-type': 'application/json',
      }
      return fetch(`${url}/api/v10/lobbies${rest}`, { ...init, headers })
    }
    const joining = {
      method: 'PUT',
      body: JSON.stringify({ secret: 'lantern', lobby_metadata: { map: 'harbour' } }),
    }
    const lobby = await json(await lobbies(before.url, '', joining))
    const written = { method: 'POST', body: JSON.stringify({ content: 'hello' }) }
    expect((await lobbies(before.url, `/${String(lobby['id'])}/messages`, written)).status).toBe(201)
    expect((await first.stop('SIGKILL')).signal).toBe('SIGKILL')

    const second = new Cli(args)
    const after = await remote(second)
    expect(after.application).toEqual(before.application)
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` }
    expect((await fetch(`${after.url}/api/v10/users/@me`, { headers })).status).toBe(200)
    const again = { method: 'PUT', body: JSON.stringify({ secret: 'lantern' }) }
    expect(await json(await lobbies(after.url, '', again))).toEqual(lobby)
    const messages: unknown = await (await lobbies(after.url, `/${String(lobby['id'])}/messages`)).json()
    expect(messages).toMatchObject([{ content: 'hello' }])
    expect((await post(after.url, unused)).status).toBe(200)
    const refreshed = await post(after.url, {
      grant_type: 'refresh_token',
      client_id: after.application.id,
      refresh_token: String(tokens['refresh_token']),
    })
    expect(refreshed.status).toBe(200)
    expect((await post(after.url, used)).headers.get('x-emulator-rule')).toMatch(/^code was used before/)
    await second.stop('SIGTERM')
  })

  it('is locked by one emulator, and released at its end', async () => {
    const state = join(folder, 'shared.db')
    const first = new Cli(['start', '--port', '0', '--json', '--state', state])
    await remote(first)
    await expect(createEmulator({ state })).rejects.toMatchObject({
      code: 'state_in_use',
      message: expect.stringContaining(state),
    })
    const second = await new Cli(['start', '--port', '0', '--state', state]).ended
    expect([second.code, second.out]).toEqual([1, ''])
    expect(second.err).toBe(
      `foyer-emulator: The state file ${state} is in use by another emulator; stop that one, or choose another file.\n`,
    )
    await first.stop('SIGTERM')
    const third = new Cli(['start', '--port', '0', '--json', '--state', state])
    await remote(third)
    await third.stop('SIGKILL')
    await (await createEmulator({ state })).close()
  })

  it('on a full disk fails the write, and the cause is logged', async () => {
    const state = join(folder, 'full.db')
    await (await createEmulator({ state })).close()
    // The limit is in blocks of 512 bytes.
    const limited = new Cli(['start', '--port', '0', '--json', '--state', state], {
      fileBlocks: Math.ceil(statSync(state).size / 512) + 512,
    })
    const { url, application } = await remote(limited)
    const metadata = { text: 'x'.repeat(900) }
    const make = async () => {
      const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
      return (
        await fetch(`${url}/api/v10/lobbies`, { method: 'POST', headers, body: JSON.stringify({ metadata }) })
      ).status
    }
    let status = 201
    for (let created = 0; created < 1000 && status === 201; created += 1) status = await make()
    expect(status).toBe(500)
    const { err } = await limited.stop('SIGKILL')
    expect(err).toMatch(/disk I\/O error|disk is full/)
    expect(err).not.toContain('rollback')
  })

  it('keeps the credentials through a reset, unlike an emulator in memory', async () => {
    const state = join(folder, 'reset.db')
    const first = await createEmulator({ state })
    first.reset()
    await first.close()
    const second = await createEmulator({ state })
    expect(second.application).toEqual(first.application)
    await second.close()
    const [one, other] = [await createEmulator(), await createEmulator()]
    expect(one.application.botToken).not.toBe(other.application.botToken)
    await Promise.all([one.close(), other.close()])
  })
})
