/** Installing the application: a page of its own, an entry in the state, and never a code. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn } from './support/player.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-install-'))
const state = join(folder, 'state.db')
const guild = '540218736401927171'
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator({ state })
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true })
})

function installUrl(parameters: Record<string, string>): string {
  return `${emulator.url}/oauth2/authorize?${new URLSearchParams({ client_id: emulator.application.id, ...parameters })}`
}

function installations(): unknown[] {
  const database = new Database(state)
  const rows = database.prepare('SELECT integration_type, owner_id, user_id, scope FROM installation ORDER BY created').all()
  database.close()
  return rows
}

describe('installing the application', () => {
  it.each([{ scope: 'applications.commands' }, { scope: 'bot applications.commands' }, {}])(
    'shows a page and no redirect for %o',
    async (parameters) => {
      const response = await fetch(installUrl(parameters), { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([200, null])
    },
  )

  it('in a guild ends on a page that names the guild, with no code, and is remembered', async () => {
    const { redirect } = await emulator.authorize(
      installUrl({ scope: 'bot applications.commands', guild_id: guild, redirect_uri: 'http://127.0.0.1/callback' }),
      { as: 'ada' },
    )
    expect(new URL(redirect).origin).toBe(emulator.url)
    expect(new URL(redirect).searchParams.get('code')).toBeNull()
    expect(await (await fetch(redirect)).text()).toContain('Playtesters')
    expect(installations()).toMatchObject([
      { integration_type: 0, owner_id: guild, user_id: emulator.users[0]?.id, scope: 'bot applications.commands' },
    ])
  })

  it('for a player belongs to that player', async () => {
    await emulator.authorize(installUrl({ scope: 'applications.commands', integration_type: '1' }), { as: 'bruno' })
    const bruno = emulator.users[1]?.id
    expect(installations().at(-1)).toMatchObject({ integration_type: 1, owner_id: bruno, user_id: bruno, scope: 'applications.commands' })
  })

  it('leaves nothing behind when it is cancelled, and says so', async () => {
    const before = installations().length
    const { redirect } = await emulator.authorize(installUrl({ scope: 'bot' }), { as: 'ada', deny: true })
    expect(await (await fetch(redirect)).text()).toContain('Not installed')
    expect(installations()).toHaveLength(before)
  })

  it('of an application that is not here is refused', async () => {
    const response = await fetch(`${emulator.url}/oauth2/authorize?client_id=1&scope=bot`)
    expect([response.status, response.headers.get('x-emulator-rule')]).toEqual([400, 'client_id is not the id of an application here'])
  })

  it('is not taken from a form on another page', async () => {
    const headers = { 'sec-fetch-site': 'same-site' }
    const body = new URLSearchParams({ as: emulator.users[0]?.id ?? '', decision: 'approve' })
    expect((await fetch(installUrl({ scope: 'bot' }), { method: 'POST', headers, body })).status).toBe(403)
  })

  it('beside a sign-in gives the code of the sign-in, and is remembered too', async () => {
    const { url } = await beginSignIn(emulator, { scope: 'identify applications.commands', nonce: undefined, integration_type: '1' })
    const { redirect } = await emulator.authorize(url, { as: 'zoe' })
    expect(new URL(redirect).searchParams.get('code')).toBeTruthy()
    expect(installations().at(-1)).toMatchObject({ integration_type: 1, scope: 'applications.commands' })
  })
})
