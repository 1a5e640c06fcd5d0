/** Saved services of the demo: add, rename, delete with undo, export and import, none of them with a secret. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { openScreen, useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load('#service')
})

const services = () => page.locator('.service-choice strong').allTextContents()
const host = () => page.getByRole('textbox', { name: 'Host' })

async function save(name: string, address: string): Promise<void> {
  const another = page.getByRole('button', { name: 'Enter another service' })
  if (await another.isVisible()) await another.click()
  await host().fill(address)
  await page.getByLabel('Save the settings as').fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^Saved as/).waitFor()
}

function importFile(content: unknown): Promise<void> {
  const buffer = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  return page
    .locator('#import-services')
    .setInputFiles({ name: 'services.json', mimeType: 'application/json', buffer })
}

describe('the saved services', () => {
  it('are chosen, changed, and still there after a reload', async () => {
    await save('First', 'https://one.example')
    await save('First', 'https://two.example')
    await save('', 'https://three.example:8443')
    expect(await services()).toEqual(['First', 'First-2', 'three.example:8443'])
    await page.getByRole('button', { name: 'First https://one.example' }).click()
    expect(await host().inputValue()).toBe('https://one.example')
    await host().fill('https://changed.example')
    await openScreen(page, 'Sign-in')
    await page.getByLabel('Scopes', { exact: true }).fill('openid')
    await openScreen(page, 'Service')
    await page.getByRole('button', { name: /^First-2/ }).click()
    await page.reload()
    await page.locator('main:not([aria-busy])').waitFor()
    expect(await host().inputValue()).toBe('https://two.example')
    await page.getByRole('button', { name: 'First https://changed.example' }).click()
    await openScreen(page, 'Sign-in')
    expect(await page.getByLabel('Scopes', { exact: true }).inputValue()).toBe('openid')
    expect(await page.locator('#service-summary').textContent()).toContain('First at https://changed.example')
  })

  it('are renamed by keyboard, and Escape keeps the old name', async () => {
    await save('First', 'https://one.example')
    await page.getByRole('button', { name: 'Rename First' }).press('Enter')
    await page.keyboard.type('Second')
    await page.keyboard.press('Enter')
    expect(await services()).toEqual(['Second'])
    await page.getByRole('button', { name: 'Rename Second' }).press('Enter')
    await page.keyboard.type('Third')
    await page.keyboard.press('Escape')
    expect(await services()).toEqual(['Second'])
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('service-choice')
  })

  it('come back where they were when a deletion is undone, and their settings stay in the form', async () => {
    await save('First', 'https://one.example')
    await save('Second', 'https://two.example')
    await page.getByRole('button', { name: /^First/ }).click()
    await page.getByRole('button', { name: 'Delete First' }).click()
    expect(await services()).toEqual(['Second'])
    expect(await host().inputValue()).toBe('https://one.example')
    await page.keyboard.press('Enter')
    await page.getByText('Restored.').waitFor()
    expect(await services()).toEqual(['First', 'Second'])
    expect(await page.evaluate(() => document.activeElement?.closest('button')?.textContent)).toContain(
      'First',
    )
    await page.getByRole('button', { name: /^First/, pressed: true }).waitFor()
  })

  it('are exported as JSON, and imported by another browser', async () => {
    await save('First', 'https://one.example')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      format: 'foyer-demo-services',
      services: [{ name: 'First', host: 'https://one.example' }],
    })
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.getByText('No service is saved.').waitFor()
    await importFile(text)
    await page.getByText('1 service was added.').waitFor()
    expect(await services()).toEqual(['First'])
  })

  it('never include a secret or an unknown field of a file', async () => {
    const one = {
      name: 'Other',
      host: 'https://other.example',
      client_secret: 'hush-hush',
      clientSecret: 'hush-hush',
      kind: 'emulator',
    }
    await importFile({ format: 'foyer-demo-services', services: [one, { name: '' }, 7] })
    await page.getByText('Left out: client_secret, clientSecret, kind. Secrets are never saved.').waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('hush-hush')
    await importFile('{ no JSON')
    await page.getByText('This file has no services').waitFor()
    await importFile({ format: 'foyer-demo-services', services: [{ name: 'x' }] })
    await page.getByText('No service in this file').waitFor()
  })

  it('have no accessibility violation, empty and filled', async () => {
    expect(await axeFaults(page)).toEqual([])
    await save('First', 'https://one.example')
    await page.setViewportSize({ width: 320, height: 700 })
    await page.getByRole('button', { name: 'Rename First' }).click()
    expect(await axeFaults(page)).toEqual([])
    expect(await sideways(page)).toBeLessThanOrEqual(0)
  })
})
