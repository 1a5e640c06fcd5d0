/** What the page of a signed-in player holds, if the game's backend keeps the refresh token. */
import type { Page } from 'playwright'
import { expect } from 'vitest'

/** A refresh token of the emulator. */
const REFRESH_TOKEN = 'emu_refresh_'
/** The database of a token store, which is encrypted. */
const TOKEN_STORE = 'foyer-sessions'

/**
 * Lets a page keep the body of every response to its `fetch`, and of a stream what has come so far. Call it before the page is opened. The
 * function returns them.
 */
export async function collectResponses(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const { fetch } = globalThis
    const bodies: Promise<string>[] = []
    Object.assign(globalThis, { receivedBodies: () => Promise.all(bodies) })
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args)
      if (response.headers.get('content-type') !== 'text/event-stream') bodies.push(response.clone().text())
      else
        void response
          .clone()
          .body?.pipeThrough(new TextDecoderStream())
          .pipeTo(new WritableStream({ write: (text) => void bodies.push(Promise.resolve(text)) }))
          .catch(() => undefined)
      return response
    }
  })
  return async () => (await page.evaluate<string[]>('receivedBodies()')).join('\n')
}

/** The page has received and stored no refresh token, an access token only in the mode `short`, and cannot read the cookie of its session. */
export async function expectNoRefreshToken(
  page: Page,
  readResponses: () => Promise<string>,
  tokens: 'short' | 'none' = 'short',
): Promise<void> {
  const received = await readResponses()
  expect(received.includes('emu_access_')).toBe(tokens === 'short')
  expect(received).not.toContain(REFRESH_TOKEN)
  const stored = await readStorage(page)
  for (const each of [REFRESH_TOKEN, TOKEN_STORE]) expect(stored).not.toContain(each)
  const cookies = await page.context().cookies(page.url())
  expect(cookies).toContainEqual(
    expect.objectContaining({
      name: expect.stringMatching(/^foyer-session-\d+-[\d-]+$/),
      httpOnly: true,
      sameSite: 'Lax',
    }),
  )
}

/** All that a page has stored: every entry of both storages and of every database, and every cookie that it can read. */
function readStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- this code runs in the page
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () =>
          reject(request.error ?? new Error('The database cannot be read')),
        )
      })
    const entries: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const table of database.objectStoreNames) {
        const store = database.transaction(table).objectStore(table)
        entries.push([name, table, await done(store.getAllKeys()), await done(store.getAll())])
      }
      database.close()
    }
    return JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      entries,
      document.cookie,
    ])
  })
}
