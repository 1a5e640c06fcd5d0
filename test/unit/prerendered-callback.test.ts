/** A callback page that a browser loads before anybody visits it. */
import { relayCallback, type RelayStatus } from 'foyer-sdk'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.unstubAllGlobals())

/** A page at a callback address without a response, whose opener is the game. */
function openPage(prerendering: boolean) {
  const page = Object.assign(new EventTarget(), { prerendering })
  const told: string[] = []
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', new URL('https://game.test/callback.html'))
  vi.stubGlobal('history', { state: null, replaceState: () => undefined })
  vi.stubGlobal('window', { opener: { postMessage: (text: string) => told.push(text) } })
  const statuses: RelayStatus[] = []
  relayCallback((status) => statuses.push(status))
  return { page, told, statuses }
}

test('a prerendered callback page does nothing until it is visited', () => {
  const { page, told, statuses } = openPage(true)
  expect([told, statuses]).toEqual([[], []])
  page.prerendering = false
  page.dispatchEvent(new Event('prerenderingchange'))
  page.dispatchEvent(new Event('prerenderingchange'))
  expect([told, statuses]).toEqual([['foyer: https://game.test/callback.html'], ['empty']])
})

test('a visited callback page acts at once', () => {
  expect(openPage(false).statuses).toEqual(['empty'])
})
