// `npm test` starts the emulator of the service, in which players sign in and buy.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'foyer-sdk'
import { gameTest } from 'foyer-emulator/vitest'
import { expect } from 'vitest'
import { createBackend } from '../backend.js'

const [DICE, ROLLS] = ['1288100000000000001', '1288100000000000002']
const test = gameTest()

test('a purchase is granted once, and taken back after a refund', async ({ emulator, players }) => {
  const { id: applicationId, botToken: token, publicKey } = emulator.application
  const folder = mkdtempSync(join(tmpdir(), 'items-'))
  const own = { host: emulator.url, applicationId, token, publicKey }
  const backend = createBackend({ ...own, folder, allowTest: false })
  const shop = 'https://shop.example'
  const [ada] = await players(1, (settings) => {
    const send = (url: string, init: RequestInit) =>
      url.startsWith(shop) ? backend(new Request(url, init)) : fetch(url, init)
    return new Client({ ...settings, backendOrigins: [shop], fetch: send })
  })
  const redeem = async () => (await ada.backend.fetch('/api/items', { method: 'POST' })).json()

  const as = ada.session?.userId ?? ''
  const rolls = emulator.activity.purchase({ as, sku: ROLLS, test: false })
  emulator.activity.purchase({ as, sku: DICE, test: true })
  expect(await redeem()).toEqual([ROLLS])
  expect(await redeem()).toEqual([ROLLS])
  emulator.activity.purchase({ as, sku: ROLLS, test: false })
  expect(await redeem()).toEqual([ROLLS, ROLLS])
  emulator.activity.refund({ entitlement: rolls.id })
  expect(await redeem()).toEqual([ROLLS])
})
