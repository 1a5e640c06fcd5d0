/** Client of the W3C WebDriver protocol: one session, whose pages are its windows. */
import { type EnginePage, IS_STYLED, TAB, xpathOf } from './engine'
import { retry, TIMEOUT } from './retry'

/** Key of an element's id in the protocol (W3C WebDriver section 11). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Enter (W3C WebDriver section 17.4.2). */
const ENTER = '\uE007'

/** Milliseconds in which a window has its new size. */
const RESIZE = 5000

/** The driver stopped answering, which says nothing about the page. */
export class DriverTimeoutError extends Error {}

/** Sends one command. @throws Error with the driver's message. @throws DriverTimeoutError, which names the command. */
export async function command<T>(url: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const signal = AbortSignal.timeout(TIMEOUT + 5000)
  const answer = await fetch(url, {
    method,
    signal,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((cause: unknown) => {
    throw new DriverTimeoutError(`${method} ${new URL(url).pathname} was not answered by the driver.`, {
      cause,
    })
  })
  const { value }: { value: T & { error?: string; message?: string } } = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.error} ${value.message}`)
  return value
}

export interface Session {
  page: EnginePage
  end: () => Promise<void>
}

export interface SessionOptions {
  capabilities: object
  /** Takes a picture of the window. */
  picture: () => Promise<Buffer>
}

/** Creates a session with a fresh profile. */
export async function openSession(
  driver: string,
  { capabilities, picture }: SessionOptions,
): Promise<Session> {
  const { sessionId } = await command<{ sessionId: string }>(`${driver}/session`, {
    capabilities: { alwaysMatch: capabilities },
  })
  const session = `${driver}/session/${sessionId}`
  await command(`${session}/timeouts`, { script: TIMEOUT, pageLoad: TIMEOUT })
  const handle = await command<string>(`${session}/window`)
  const place: Place = { session, handle, depth: 0, picture, enqueue: oneAtATime() }
  return { page: pageOf(place), end: () => command(session, undefined, 'DELETE') }
}

interface Place {
  session: string
  handle: string
  /** How deep the frame is to which commands go; 0 for the window. Each frame is the first of its page. */
  depth: number
  picture: () => Promise<Buffer>
  enqueue: <T>(work: () => Promise<T>) => Promise<T>
}

function pageOf(place: Place): EnginePage {
  const { session, handle } = place
  const click = (using: string, value: string) =>
    retry(() => inside(place, () => clickOn(session, using, value)))
  const handles = () => command<string[]>(`${session}/window/handles`)
  /** Commands for the window itself, even if the clicks go to its frame. */
  const onWindow = <T>(work: () => Promise<T>) => inside({ ...place, depth: 0 }, work)
  return {
    goto: (url) => onWindow(() => command(`${session}/url`, { url })),
    reload: () => onWindow(() => command(`${session}/refresh`, {})),
    back: () => onWindow(() => command(`${session}/back`, {})),
    url: () => onWindow(() => command(`${session}/url`)),
    click: (css) => click('css selector', css),
    press: (words) => click('xpath', xpathOf(words)),
    async type(css, text) {
      await click('css selector', css)
      await inside(place, async () => {
        const element = await elementAt(session, 'css selector', css)
        await command(`${element}/value`, { text: text.replace('\n', ENTER) })
      })
    },
    resize: (width, height) => onWindow(() => resizeInner(session, width, height)),
    pressTab: (times) => inside(place, () => sendTabs(session, times)),
    runFirst: () => Promise.reject(new Error('This driver runs no script before those of a page.')),
    picture: place.picture,
    // WebKitGTK's driver takes the pointer type `touch` for a mouse.
    tap: () => Promise.reject(new Error('This driver has no touch events.')),
    async popupAfter(css) {
      const before = await handles()
      await click('css selector', css)
      const opened = await retry(async () => {
        const found = (await handles()).find((one) => !before.includes(one))
        if (!found) throw new Error(`No window opened after a click on ${css}.`)
        return found
      })
      return pageOf({ ...place, handle: opened, depth: 0 })
    },
    evaluate: (expression) =>
      inside(place, () => command(`${session}/execute/sync`, { script: `return (${expression})`, args: [] })),
    frame: async () => pageOf({ ...place, depth: place.depth + 1 }),
    async openTab() {
      const opened = await onWindow(() =>
        command<{ handle: string }>(`${session}/window/new`, { type: 'tab' }),
      )
      return pageOf({ ...place, handle: opened.handle, depth: 0 })
    },
    windows: async () => (await handles()).length,
    isClosed: async () => !(await handles()).includes(handle),
    close: () => onWindow(() => command(`${session}/window`, undefined, 'DELETE')),
  }
}

/** Runs commands in the window: a session has one current window, and leaves its frame when the window is selected. */
function inside<T>({ session, handle, depth, enqueue }: Place, work: () => Promise<T>): Promise<T> {
  return enqueue(async () => {
    await command(`${session}/window`, { handle })
    for (let entered = 0; entered < depth; entered++) await command(`${session}/frame`, { id: 0 })
    return await work()
  })
}

async function clickOn(session: string, using: string, value: string): Promise<void> {
  const element = await elementAt(session, using, value)
  const isStyled = await command<boolean>(`${session}/execute/sync`, {
    script: `return ${IS_STYLED}`,
    args: [],
  })
  if (!isStyled) throw new Error('The page still loads: its elements may move.')
  await command(`${element}/click`, {})
}

/** Resolves with the address of an element. */
async function elementAt(session: string, using: string, value: string): Promise<string> {
  const element = await command<Record<string, string>>(`${session}/element`, { using, value })
  return `${session}/element/${element[ELEMENT]}`
}

async function sendTabs(session: string, times: number): Promise<void> {
  const presses = Array.from({ length: times }, () =>
    ['keyDown', 'keyUp'].map((type) => ({ type, value: TAB })),
  )
  await command(`${session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions: presses.flat() }] })
}

/** The driver sets the outer size; the difference is measured. @throws Error if the window does not become that wide. */
async function resizeInner(session: string, width: number, height: number): Promise<void> {
  const inner = () =>
    command<[number, number]>(`${session}/execute/sync`, {
      script: 'return [window.innerWidth, window.innerHeight]',
      args: [],
    })
  const outer = await command<{ width: number; height: number }>(`${session}/window/rect`)
  const [innerWidth, innerHeight] = await inner()
  const [frame, bars] = [outer.width - innerWidth, outer.height - innerHeight]
  await command(`${session}/window/rect`, { width: width + frame, height: height + bars })
  await retry(async () => {
    const [reached] = await inner()
    if (reached !== width) throw new Error(`The window is ${reached} px wide, not ${width}.`)
  }, RESIZE)
}

function oneAtATime(): Place['enqueue'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}
