/** Client of the W3C WebDriver protocol: one session, one page. */
import { setTimeout as wait } from 'node:timers/promises'
import { type EnginePage, xpathOf } from './engine'

/** Key of an element's id in the protocol (W3C WebDriver section 11). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/** Maximum wait for an element or a response, in ms. */
const TIMEOUT = 90_000

export interface WebDriverPage extends EnginePage {
  close(): Promise<void>
}

/** Sends one command. @throws Error with the driver's message. */
export async function command<T>(url: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const answer = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const { value }: { value: T & { error?: string; message?: string } } = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.error} ${value.message}`)
  return value
}

/** Creates a session with a fresh profile. */
export async function openSession(driver: string, capabilities: object): Promise<WebDriverPage> {
  const { sessionId } = await command<{ sessionId: string }>(`${driver}/session`, { capabilities: { alwaysMatch: capabilities } })
  const session = `${driver}/session/${sessionId}`
  await command(`${session}/timeouts`, { script: TIMEOUT, pageLoad: TIMEOUT })
  const click = (using: string, value: string) =>
    untilDone(async () => {
      const element = await command<Record<string, string>>(`${session}/element`, { using, value })
      await command(`${session}/element/${element[ELEMENT]}/click`, {})
    })
  return {
    goto: (url) => command(`${session}/url`, { url }),
    reload: () => command(`${session}/refresh`, {}),
    url: () => command(`${session}/url`),
    click: (css) => click('css selector', css),
    press: (words) => click('xpath', xpathOf(words)),
    evaluate: (expression) => command(`${session}/execute/sync`, { script: `return (${expression})`, args: [] }),
    close: () => command(session, undefined, 'DELETE'),
  }
}

/** Retries: the element may not exist yet, or may vanish with a page that is being left. */
async function untilDone(act: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + TIMEOUT; ; await wait(50)) {
    try {
      return await act()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
