/** Log of requests in the emulator's inspector, in real Chromium: rows, filter, pause and details. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { signIn, useInspector } from '../../support/use-inspector'

const inspector = useInspector()
const { region } = inspector
const requestRows = () => inspector.page.getByRole('listbox', { name: 'Requests, newest first' })
const selectedRow = () => requestRows().getByRole('option', { selected: true })
const shownPaths = () => requestRows().getByRole('option').locator('code').allTextContents()
const count = () => region('Requests').getByRole('status').textContent()
const send = () => fetch(`${inspector.emulator.url}/.well-known/openid-configuration`)

describe('the request log of the inspector', () => {
  it('finds exactly the requests of one player, whatever the case, and none of its own pages', async () => {
    const tokens = await Promise.all(['ada', 'bruno'].map((as) => signIn(inspector.emulator, as)))
    for (const token of tokens)
      for (const path of ['users/@me', 'lobbies/1']) {
        await fetch(`${inspector.emulator.url}/api/v10/${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
      }
    await inspector.open()
    const search = region('Requests').getByRole('searchbox')
    await search.fill('player:Ada')
    const ofAda = [
      'GET /api/v10/lobbies/1',
      'GET /api/v10/users/@me',
      'POST /api/v10/oauth2/token',
      'GET /oauth2/authorize/:id',
      'POST /oauth2/sign-in/:id',
      'GET /oauth2/sign-in/:id',
      'GET /oauth2/authorize',
    ]
    await expect.poll(shownPaths).toEqual(ofAda)
    await search.fill('player:Ada Quinn')
    await expect.poll(shownPaths).toEqual(ofAda)
    await search.fill('player:ada status:4xx path:/lobbies')
    await expect.poll(shownPaths).toEqual(['GET /api/v10/lobbies/1'])
    await search.fill('inspector')
    await expect.poll(() => region('Requests').getByText('Nothing matches.').isVisible()).toBe(true)
    await inspector.page.getByRole('checkbox', { name: 'Own pages too' }).check()
    await expect.poll(async () => (await shownPaths()).length).toBeGreaterThan(1)
    expect(inspector.page.url()).toBe(`${inspector.emulator.url}/inspector?filter=inspector&own=`)
  })

  it('holds the list as it is, empties it, and has at least 18 requests in view', async () => {
    await inspector.page.setViewportSize({ width: 1440, height: 900 })
    await inspector.open()
    for (let sent = 0; sent < 30; sent++) await send()
    await expect.poll(count).toBe('30 of 30')
    const inView = await requestRows().evaluate((list) => {
      const end = Math.min(innerHeight, list.getBoundingClientRect().bottom)
      return [...list.querySelectorAll('.row')].filter((row) => row.getBoundingClientRect().bottom <= end)
        .length
    })
    expect(inView).toBeGreaterThanOrEqual(18)
    await inspector.page.getByRole('button', { name: 'Pause' }).click()
    await send()
    expect(await count()).toBe('30 of 30, paused')
    await inspector.page.getByRole('button', { name: 'Pause' }).click()
    await expect.poll(count).toBe('31 of 31')
    await inspector.page.getByRole('button', { name: 'Clear' }).click()
    expect(await count()).toBe('0 of 0')
    await send()
    await expect.poll(count).toBe('1 of 1')
  })

  it('keeps the filter in the address: a reload shows the same requests', async () => {
    await inspector.open()
    await region('Requests').getByRole('searchbox').fill('users')
    await inspector.page.getByRole('checkbox', { name: 'Refused only' }).check()
    expect(inspector.page.url()).toBe(`${inspector.emulator.url}/inspector?filter=users&refused=`)
    await inspector.page.reload()
    await inspector.page.getByLabel('Control token').fill(inspector.emulator.controlToken)
    await inspector.page.getByRole('button', { name: 'Open' }).click()
    expect(await region('Requests').getByRole('searchbox').inputValue()).toBe('users')
  })

  it('saves the requests that the filter found as an HTTP Archive, oldest first and without secrets', async () => {
    const tokens = await Promise.all(['ada', 'bruno'].map((as) => signIn(inspector.emulator, as)))
    await inspector.open()
    await region('Requests').getByRole('searchbox').fill('player:bruno')
    await expect.poll(async () => (await shownPaths()).length).toBe(5)
    const download = inspector.page.waitForEvent('download')
    await inspector.page.getByRole('button', { name: 'Save the requests as HAR' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const { log } = JSON.parse(text) as { log: { entries: { request: { method: string; url: string } }[] } }
    expect(log.entries.map(({ request }) => request.method)).toEqual(['GET', 'GET', 'POST', 'GET', 'POST'])
    expect(log.entries.at(-1)).toMatchObject({
      request: {
        url: `${inspector.emulator.url}/api/v10/oauth2/token`,
        postData: { params: expect.arrayContaining([{ name: 'code_verifier', value: '[secret]' }]) },
      },
      response: { status: 200, statusText: 'OK' },
      comment: expect.stringMatching(/^player Bruno \(bruno, \d+\)$/),
    })
    for (const token of tokens) expect(text).not.toContain(token)
  })

  it('shows the details of a request that the keyboard selects', async () => {
    await inspector.open()
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    await region('Requests').locator('.refused').first().waitFor()
    await requestRows().focus()
    await inspector.page.keyboard.press('ArrowDown')
    await inspector.page
      .getByRole('region', { name: 'Selected request' })
      .getByText('Refused by the rule')
      .waitFor()
    expect(await selectedRow().textContent()).toContain('/api/v10/users/@me')
    await inspector.page.keyboard.press('Escape')
    await inspector.page.getByRole('region', { name: 'Selected request' }).waitFor({ state: 'detached' })
  })

  it('stays fluid with 5,000 requests: it renders the rows in view, and filters all of them', async () => {
    await inspector.open()
    for (let batch = 0; batch < 50; batch++)
      await Promise.all(Array.from({ length: 100 }, () => fetch(`${inspector.emulator.url}/nothing/here`)))
    await region('Requests')
      .getByText(/^(49\d\d|5000) of \d+$/)
      .waitFor()
    const rows = requestRows().getByRole('option')
    expect(await rows.count()).toBeLessThan(40)
    await requestRows().focus()
    await inspector.page.keyboard.press('End')
    await expect.poll(() => selectedRow().getAttribute('aria-posinset')).toMatch(/^(49\d\d|5000)$/)
    const search = region('Requests').getByRole('searchbox')
    // Time of the processor: other programs of the machine do not count.
    const measured = await inspector.page.context().newCDPSession(inspector.page)
    await measured.send('Performance.enable', { timeDomain: 'threadTicks' })
    const busy = async () => {
      const { metrics } = await measured.send('Performance.getMetrics')
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    }
    const begin = await busy()
    await search.fill('nothing like this')
    await region('Requests').getByText('Nothing matches.').waitFor()
    const typed = (await busy()) - begin
    console.log(`Filtering 5,000 requests took ${typed.toFixed(0)} ms of the processor.`)
    expect(typed).toBeLessThan(200)
  })
})
