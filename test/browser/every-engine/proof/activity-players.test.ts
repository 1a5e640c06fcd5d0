/** Ten players in Activities, with chats and the inspector open besides: browsers open six HTTP/1.1 connections to a host. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { expect } from 'vitest'
import { serveActivityGame } from '../../../support/activity-game'
import type { EnginePage } from '../../../support/engines/engine'
import { CONTENT_ONLY, closeAfterTest, inEveryEngine } from '../../../support/engines/in-every-engine'

const CHANNEL = '310000000000000002'
const ADDED = ['dana', 'emil', 'fay', 'gus']
const STATES = "[...document.querySelectorAll('.state')].map(({ textContent }) => textContent)"

async function begin(): Promise<Emulator> {
  const players = ADDED.map((username, index) => ({
    id: String(300_000_000_000_000_000n + BigInt(index)),
    username,
  }))
  const guild = { id: '310000000000000001', name: 'Ten', channels: [{ id: CHANNEL, name: 'ten' }] }
  const emulator = await createEmulator({ seed: { users: players, guilds: [guild] } })
  closeAfterTest(emulator)
  const game = await serveActivityGame(emulator)
  closeAfterTest(game)
  await emulator.activity.serve(game.url)
  return emulator
}

/** Ids of the players in the only instance. */
const joined = ({ activity }: Emulator) => activity.instances().flatMap(({ users }) => users)
const idsOf = ({ users }: Emulator, count: number) => users.slice(0, count).map(({ id }) => id)

/** Opens that many chats, and the inspector. */
async function openOthers(
  page: EnginePage,
  { url, controlToken }: Emulator,
  count: number,
): Promise<EnginePage[]> {
  const opened: EnginePage[] = []
  while (opened.length < count) {
    const tab = await page.openTab()
    await tab.goto(`${url}/chat`)
    opened.push(tab)
  }
  const inspector = await page.openTab()
  await inspector.goto(`${url}/inspector#${controlToken}`)
  await expect.poll(() => inspector.evaluate("document.querySelector('.side') !== null")).toBe(true)
  return opened
}

inEveryEngine((engineTest) => {
  for (const count of [6, 10])
    engineTest(`${count} players join in one host page, with chat and inspector open`, async (engine) => {
      const emulator = await begin()
      const page = await engine.open()
      await openOthers(page, emulator, 1)
      await page.goto(emulator.activity.launch({ as: idsOf(emulator, count), channel: CHANNEL }).url)
      await expect.poll(() => page.evaluate(STATES)).toEqual(Array(count).fill('connected'))
      expect(joined(emulator)).toEqual(idsOf(emulator, count))
    })

  engineTest(
    'ten players join, each in a host page of their own, with seven chats and the inspector open',
    async (engine) => {
      const emulator = await begin()
      const page = await engine.open()
      const chats = await openOthers(page, emulator, 7)
      const isReady = "document.querySelector('#chat [role=combobox]') !== null"
      for (const chat of chats) await expect.poll(() => chat.evaluate(isReady)).toBe(true)
      for (const as of idsOf(emulator, 10)) {
        const { url } = emulator.activity.launch({ as, channel: CHANNEL })
        const tab = await page.openTab()
        await tab.goto(url)
        await expect.poll(() => tab.evaluate(STATES)).toEqual(['connected'])
      }
      expect(joined(emulator)).toEqual(idsOf(emulator, 10))
    },
  )
}, CONTENT_ONLY)
