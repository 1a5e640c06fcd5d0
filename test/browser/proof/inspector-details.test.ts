/** Details of a request in the emulator's inspector, in real Chromium: its parts, secrets, copies, comparison and related requests. */
import type { Locator } from 'playwright'
import { describe, expect, it } from 'vitest'
import { signIn, useInspector, VERIFIER } from '../../support/use-inspector'
import { AXE_FAULTS } from '../demo-page'

const inspector = useInspector()
const { region } = inspector
const details = () => region('Selected request')
const part = (name: string) => details().getByRole('tab', { name: new RegExp(`^${name}`) })
const content = () => details().getByRole('tabpanel')

/** Opens the newest request whose row has the text. */
async function select(text: string): Promise<void> {
  await inspector.page.getByRole('listbox').getByRole('option').filter({ hasText: text }).first().click()
  await details().waitFor()
}

describe('the details of a request', () => {
  it('show its parameters, headers and raw text with secrets masked, until they are revealed', async () => {
    const token = await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    await content().getByText('POST /api/v10/oauth2/token HTTP/1.1').waitFor()
    expect(await content().getByRole('rowheader', { name: 'content-type' }).count()).toBe(2)
    await content()
      .getByRole('row', { name: /^code_verifier \[secret\]$/ })
      .waitFor()
    expect(await inspector.page.content()).not.toContain(VERIFIER)
    await details().getByRole('button', { name: 'Reveal all' }).click()
    await content().getByText(VERIFIER).waitFor()
    await part('Raw').click()
    await content().getByText(`"access_token":"${token}"`).waitFor()
    await details().getByRole('button', { name: 'Reveal all', pressed: true }).click()
    await content().getByText('"access_token":"[secret]"').waitFor()
    expect(await inspector.page.content()).not.toContain(token)
  })

  it('begin masked for the next request, in the same part', async () => {
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    await part('Raw').click()
    await details().getByRole('button', { name: 'Reveal all' }).click()
    await content().getByText(VERIFIER).waitFor()
    await select('/oauth2/authorize')
    await content()
      .getByText(/^GET \/oauth2\/authorize/)
      .waitFor()
    expect(await part('Raw').getAttribute('aria-selected')).toBe('true')
    expect(await details().getByRole('button', { name: 'Reveal all', pressed: false }).count()).toBe(1)
    expect(await inspector.page.content()).not.toContain('state-of-ada')
  })

  it('decode an ID token, and say in words when it expires', async () => {
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    const claims = content().getByRole('table', { name: 'Claims of the ID token' })
    await claims.getByRole('row', { name: `iss ${inspector.emulator.url}` }).waitFor()
    await claims.getByRole('row', { name: /^exp in (?:1 h|59 min)/ }).waitFor()
    expect(await content().locator('.encoded-token').count()).toBe(0)
    await details().getByRole('button', { name: 'Reveal all' }).click()
    await content().locator('.encoded-token').waitFor()
    inspector.emulator.advance(2 * 86_400_000)
    await claims.getByRole('row', { name: /^exp (?:1 d 23 h|2 d 0 h) ago/ }).waitFor()
  })

  it('stand side by side: request, response and token', async () => {
    await inspector.page.setViewportSize({ width: 1440, height: 900 })
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    await content().getByRole('table', { name: 'Claims of the ID token' }).waitFor()
    const sections = content().locator('.exchange-parts > section')
    expect(
      new Set(await sections.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))).size,
    ).toBe(1)
    expect(await sections.getByRole('heading').allTextContents()).toEqual([
      'Request',
      'Response 200 OK',
      'ID token',
    ])
  })

  it('show what differs from a request that was kept', async () => {
    for (const as of ['ada', 'bruno']) {
      const token = await signIn(inspector.emulator, as)
      await fetch(`${inspector.emulator.url}/api/v10/users/@me`, {
        headers: { authorization: `Bearer ${token}` },
      })
    }
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    await inspector.open()
    const rows = inspector.page.getByRole('listbox').getByRole('option').filter({ hasText: '/users/@me' })
    await rows.nth(1).click()
    await part('Compare').click()
    await content().getByRole('button', { name: 'Keep this request' }).click()
    await content().getByText('This request is kept.').waitFor()
    await rows.nth(2).click()
    await content()
      .getByRole('row', { name: /^Sent by player Bruno .* player Ada Quinn / })
      .waitFor()
    expect(await content().getByRole('rowheader', { name: 'Status' }).count()).toBe(0)
    await content().getByRole('button', { name: 'Keep this one instead' }).click()
    await rows.nth(0).click()
    await content().getByRole('row', { name: 'Status 200 401' }).waitFor()
  })

  it('name the program and the page that caused a refusal', async () => {
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`, {
      headers: { authorization: 'Bearer wrong', origin: 'http://game.example', 'user-agent': 'a-bot/1.0' },
    })
    await inspector.open()
    await select('/users/@me')
    await content().getByText('a-bot/1.0').waitFor()
    expect(await content().getByText('http://game.example').count()).toBe(1)
  })

  it('copy a command for a terminal, and say so beside the button', async () => {
    const token = await signIn(inspector.emulator, 'ada')
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`, {
      headers: { authorization: `Bearer ${token}`, 'x-note': "it's" },
    })
    await inspector.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await inspector.open()
    await select('/users/@me')
    await part('cURL').click()
    await content().getByText('Bearer [secret]').waitFor()
    await details().getByRole('button', { name: 'Reveal all' }).click()
    await content().getByText(`Bearer ${token}`).waitFor()
    await content().getByRole('button', { name: 'Copy the command' }).click()
    await content().getByText('Copied', { exact: true }).waitFor()
    const copied = await inspector.page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`curl '${inspector.emulator.url}/api/v10/users/@me'`)
    expect(copied).toContain(`-H 'authorization: Bearer ${token}'`)
    expect(copied).toContain(String.raw`-H 'x-note: it'\''s'`)
  })

  it('lead to the other requests of the sign-in', async () => {
    await signIn(inspector.emulator, 'bruno')
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    await part('Related').click()
    const entries = content().getByRole('button')
    await entries.filter({ hasText: /GET \/oauth2\/authorizesame sign-in/ }).click()
    await details().getByRole('heading', { name: 'GET /oauth2/authorize' }).waitFor()
    await part('Raw').click()
    await details().getByRole('button', { name: 'Reveal all' }).click()
    await expect.poll(() => content().textContent()).toContain('state=state-of-ada')
  })

  it.each([
    [1440, 900],
    [1024, 768],
  ])('are in view beside the list, without scrolling, at %i × %i', async (width, height) => {
    await inspector.page.setViewportSize({ width, height })
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    await content().getByText('Response 200 OK').waitFor()
    const [box, list] = await Promise.all([
      details().boundingBox(),
      inspector.page.getByRole('listbox').boundingBox(),
    ])
    expect(box?.x).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? 0))
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
    expect(await inspector.page.evaluate(() => scrollY)).toBe(0)
  })

  it('fit into 320 pixels, in view', async () => {
    await inspector.page.setViewportSize({ width: 320, height: 640 })
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    for (const name of ['Messages', 'Raw', 'Checks', 'cURL', 'Compare', 'Related']) {
      await part(name).click()
      expect(await inspector.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        320,
      )
      await expect
        .poll(() => content().evaluate((one) => one.getBoundingClientRect().top < innerHeight))
        .toBe(true)
    }
  })

  it('are operated with the keyboard alone', async () => {
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await inspector.page.getByRole('listbox').focus()
    await inspector.page.keyboard.press('ArrowDown')
    await part('Messages').focus()
    await inspector.page.keyboard.press('ArrowRight')
    expect(await part('Raw').evaluate((tab) => tab === document.activeElement && tab.tabIndex === 0)).toBe(
      true,
    )
    await inspector.page.keyboard.press('End')
    expect(await part('Related').getAttribute('aria-selected')).toBe('true')
    await inspector.page.keyboard.press('ArrowRight')
    expect(await part('Messages').getAttribute('aria-selected')).toBe('true')
    expect(
      await details()
        .getByRole('tab')
        .evaluateAll((tabs) => tabs.filter((tab) => (tab as HTMLElement).tabIndex === 0).length),
    ).toBe(1)
  })

  it('are gone with the emulator that knew them', async () => {
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await inspector.page.getByRole('option').first().waitFor()
    inspector.emulator.reset()
    await inspector.page.getByRole('option').first().click()
    await part('Raw').click()
    await expect.poll(() => content().textContent()).toContain('The log has this request no more.')
  })
})

describe('the tabs of the inspector', () => {
  it('open with the keyboard, and are the same after a reload', async () => {
    await inspector.open()
    await inspector.page.getByRole('tab', { name: 'Players' }).focus()
    await inspector.page.keyboard.press('ArrowRight')
    await region('Lobbies').waitFor()
    expect(await region('Players and tokens').count()).toBe(0)
    await region('Requests').getByRole('searchbox').fill('users')
    await expect
      .poll(() => inspector.page.url())
      .toBe(`${inspector.emulator.url}/inspector?tab=lobbies&filter=users`)
    await inspector.page.reload()
    await inspector.page.getByLabel('Control token').fill(inspector.emulator.controlToken)
    await inspector.page.getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => region('Lobbies').count()).toBe(1)
  })

  it('open from the line above the requests, with the focus', async () => {
    await inspector.open()
    await inspector.page.getByRole('button', { name: '0 faults armed' }).click()
    await region('Faults').waitFor()
    expect(
      await inspector.page
        .getByRole('tab', { name: 'Faults' })
        .evaluate((tab) => tab === document.activeElement),
    ).toBe(true)
  })

  it('keep what was typed', async () => {
    await inspector.open('Snapshots')
    await inspector.page.getByLabel('Name of a new snapshot').fill('half a name')
    await inspector.openTab('Players')
    await inspector.openTab('Snapshots')
    expect(await inspector.page.getByLabel('Name of a new snapshot').inputValue()).toBe('half a name')
  })

  it('have no fault of axe-core, with details open', async () => {
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    await select('POST /api/v10/oauth2/token')
    for (const name of ['Messages', 'Raw', 'Checks', 'cURL', 'Compare', 'Related']) {
      await part(name).click()
      expect(await inspector.page.evaluate(AXE_FAULTS)).toEqual([])
    }
  })
})

describe('a request that a limit refused', () => {
  it('leads within four clicks to its client, the limit that was used up, since when, and what used it up', async () => {
    const { emulator, page } = inspector
    emulator.limits({ join_lobby: { limit: 3, per: 60_000 } })
    const [ada, bruno] = await Promise.all(
      ['ada', 'bruno'].map((as) => signIn(emulator, as, 'openid sdk.social_layer')),
    )
    const join = async (token: string | undefined, secret: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': 'moon-base/1.0',
      }
      const body = JSON.stringify({ secret })
      return (await fetch(`${emulator.url}/api/v10/lobbies`, { method: 'PUT', headers, body })).status
    }
    const before = Date.now()
    const statuses = []
    for (const token of [ada, bruno, ada, ada, ada, bruno]) statuses.push(await join(token, 'moon-42'))
    expect(statuses).toEqual([200, 200, 200, 200, 429, 200])
    await inspector.open()
    let clicks = 0
    const click = async (control: Locator) => {
      clicks++
      await control.click()
    }
    await click(page.getByRole('option').filter({ hasText: '429' }))
    const valueOf = (term: string) =>
      content()
        .locator('dl > div')
        .filter({ has: page.getByText(term, { exact: true }) })
        .locator('dd')
    expect(await valueOf('Sent by').textContent()).toMatch(/^player Ada Quinn \(ada, \d+\)$/)
    await valueOf('Program').getByText('moon-base/1.0').waitFor()
    expect(await valueOf('Used up').textContent()).toMatch(
      /^join_lobby of player Ada Quinn \(ada, \d+\), since \d\d:\d\d:\d\d$/,
    )
    const since = /since (.+)$/.exec((await valueOf('Used up').textContent()) ?? '')?.[1]
    const logged = emulator.requests.filter(({ limits, player }) => limits && player === 'ada')
    const joins = logged.filter(({ method }) => method === 'PUT')
    expect(joins.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(joins[0]?.at).toBeGreaterThanOrEqual(before - 1000)
    expect(since).toBe(new Date(joins[2]?.at ?? 0).toLocaleTimeString('en-GB'))
    const cause = valueOf('By these requests')
    await click(cause.getByText(/^3 of player Ada Quinn/))
    expect(await cause.getByRole('button').allTextContents()).toEqual(
      joins.slice(0, 3).map(({ at }) => `200PUT /api/v10/lobbies${new Date(at).toLocaleTimeString('en-GB')}`),
    )
    expect(await page.evaluate(AXE_FAULTS)).toEqual([])
    await click(cause.getByRole('button').first())
    await page.getByRole('option', { selected: true }).filter({ hasText: '200' }).waitFor()
    expect(clicks).toBeLessThanOrEqual(4)
  })

  it('by all players of the application says so, and counts those of each', async () => {
    const { emulator, page } = inspector
    emulator.limits({ all_joins: { limit: 2, per: 60_000 } })
    const tokens = await Promise.all(['ada', 'bruno'].map((as) => signIn(emulator, as)))
    for (const token of [...tokens, tokens[0]])
      await fetch(`${emulator.url}/api/v10/lobbies`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ secret: 'moon-42' }),
      })
    await inspector.open()
    await page.getByRole('option').filter({ hasText: '429' }).click()
    await content()
      .getByText(/^all_joins of the application, since/)
      .waitFor()
    expect(await content().locator('summary').textContent()).toMatch(
      /^2 of player Ada Quinn \(.+\) and of player Bruno \(.+\), the first at/,
    )
  })
})
