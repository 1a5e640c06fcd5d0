/** The emulator's inspector in real Chromium: requests as they complete, its token, and what a person can set. */
import { describe, expect, it } from 'vitest'
import { useInspector } from '../support/use-inspector'

const inspector = useInspector()
const { region } = inspector

describe('the inspector', () => {
  it('shows each request when it completes, with the rule that refused it', async () => {
    await inspector.open()
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    const row = region('Requests').locator('.refused', { hasText: 'GET /api/v10/users/@me' })
    await row.waitFor()
    expect(await row.textContent()).toMatch(/401.*Refused: /)
    await fetch(`${inspector.emulator.url}/.well-known/openid-configuration`)
    await region('Requests').getByText('openid-configuration').waitFor()
    await inspector.page.getByRole('checkbox', { name: 'Refused only' }).check()
    expect(await region('Requests').getByText('openid-configuration').count()).toBe(0)
  })

  it('removes the control token from the address bar, and asks for it after a reload', async () => {
    await inspector.open()
    expect(inspector.page.url()).toBe(`${inspector.emulator.url}/inspector`)
    expect(await inspector.page.content()).not.toContain(inspector.emulator.controlToken)
    await inspector.page.reload()
    await inspector.page.getByLabel('Control token').fill('emu_control_wrong')
    await inspector.page.getByRole('button', { name: 'Open' }).click()
    await inspector.page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    await inspector.page.getByLabel('Control token').fill(inspector.emulator.controlToken)
    await inspector.page.getByRole('button', { name: 'Open' }).click()
    await inspector.page.getByRole('tab', { name: 'Clock' }).waitFor()
    expect(await inspector.page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })

  it('moves the clock, sets a fault and removes it', async () => {
    await inspector.open('Clock')
    const before = Date.now()
    await inspector.page.getByRole('button', { name: '+ 1 day' }).click()
    await inspector.page.getByText('The clock is 1 day ahead').waitFor()
    const time = await region('Clock').locator('time').getAttribute('datetime')
    expect(Date.parse(time ?? '')).toBeGreaterThan(before + 86_000_000)
    await inspector.openTab('Faults')
    await inspector.page.getByRole('button', { name: 'The next connection is closed' }).click()
    await inspector.page.getByText('Set: The next connection is closed.').waitFor()
    expect(inspector.emulator.faults()).toMatchObject([{ times: 1, effect: { drop: true } }])
    await inspector.page.getByRole('button', { name: 'Remove all' }).click()
    await inspector.page.getByText('All faults were removed.').waitFor()
    expect(inspector.emulator.faults()).toEqual([])
  })
})
