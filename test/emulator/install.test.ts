/** Installing the application: a page, an entry in the state, and never a code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn } from './support/sign-in-client.js'

const guild = '540218736401927171'
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

function installUrl(parameters: Record<string, string>): string {
  return `${emulator.url}/oauth2/authorize?${new URLSearchParams({ client_id: emulator.application.id, ...parameters })}`
}

async function installations(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${emulator.controlToken}` }
  const list: unknown = await (await fetch(`${emulator.url}/_emulator/installations`, { headers })).json()
  return Array.isArray(list) ? list : []
}

describe('installing the application', () => {
  it.each([{ scope: 'applications.commands' }, { scope: 'bot applications.commands' }, {}])(
    'shows a page and no redirect for %o',
    async (parameters) => {
      const response = await fetch(installUrl(parameters), { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([200, null])
    },
  )

  it('in a guild ends on a page that names the guild, without a code, and is stored', async () => {
    const { redirect } = await emulator.authorize(
      installUrl({
        scope: 'bot applications.commands',
        guild_id: guild,
        redirect_uri: 'http://127.0.0.1/callback',
      }),
      { as: 'ada' },
    )
    expect(new URL(redirect).origin).toBe(emulator.url)
    expect(new URL(redirect).searchParams.get('code')).toBeNull()
    expect(await (await fetch(redirect)).text()).toContain('Playtesters')
    expect(await installations()).toMatchObject([
      {
        integrationType: 0,
        ownerId: guild,
        userId: emulator.users[0]?.id,
        scope: 'bot applications.commands',
      },
    ])
  })

  it('for a player is stored for that player', async () => {
    await emulator.authorize(installUrl({ scope: 'applications.commands', integration_type: '1' }), {
      as: 'bruno',
    })
    const bruno = emulator.users[1]?.id
    expect((await installations()).at(-1)).toMatchObject({
      integrationType: 1,
      ownerId: bruno,
      userId: bruno,
      scope: 'applications.commands',
    })
  })

  it('stores nothing if it is cancelled, and reports that', async () => {
    const before = (await installations()).length
    const { redirect } = await emulator.authorize(installUrl({ scope: 'bot' }), { as: 'ada', deny: true })
    expect(await (await fetch(redirect)).text()).toContain('Not installed')
    expect(await installations()).toHaveLength(before)
  })

  it('of an unknown application is rejected', async () => {
    const response = await fetch(`${emulator.url}/oauth2/authorize?client_id=1&scope=bot`)
    expect([response.status, response.headers.get('x-emulator-rule')]).toEqual([
      400,
      'client_id is not the id of an application here',
    ])
  })

  it('is not accepted from a form on another page', async () => {
    const headers = { 'sec-fetch-site': 'same-site' }
    const body = new URLSearchParams({ as: emulator.users[0]?.id ?? '', decision: 'approve' })
    expect((await fetch(installUrl({ scope: 'bot' }), { method: 'POST', headers, body })).status).toBe(403)
  })

  it('during a sign-in returns the code of the sign-in, and is stored, too', async () => {
    const { url } = await beginSignIn(emulator, {
      scope: 'identify applications.commands',
      nonce: undefined,
      integration_type: '1',
    })
    const { redirect } = await emulator.authorize(url, { as: 'zoe' })
    expect(new URL(redirect).searchParams.get('code')).toBeTruthy()
    expect((await installations()).at(-1)).toMatchObject({
      integrationType: 1,
      scope: 'applications.commands',
    })
  })
})
