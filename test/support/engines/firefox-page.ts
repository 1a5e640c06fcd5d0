/** A window, tab or frame of Firefox over WebDriver BiDi. */
import type { Bidi } from './bidi'
import { type EnginePage, IS_STYLED, TAB, xpathOf } from './engine'
import { retry } from './retry'

interface Context {
  context: string
  url: string
  userContext: string
  children: Context[]
}

interface Place {
  bidi: Bidi
  userContext: string
  /** Id of the window or tab. */
  window: string
  /** Id of the window or of a frame in it: where clicks and scripts go. */
  context: string
}

interface Evaluated {
  type: 'success' | 'exception'
  result?: { value?: string }
  exceptionDetails?: { text: string }
}

/** Enter, in WebDriver (W3C WebDriver section 17.4.2). */
const ENTER = '\uE007'

const SCROLL = `(element) => {
  element.scrollIntoView({ block: 'center' })
  return String(${IS_STYLED})
}`

export function firefoxPage(place: Place): EnginePage {
  const { bidi, userContext, window, context } = place
  const windows = async (): Promise<Context[]> => {
    const { contexts } = await bidi.send<{ contexts: Context[] }>('browsingContext.getTree')
    return contexts.filter((one) => one.userContext === userContext)
  }
  const own = async () => (await windows()).find((one) => one.context === window)
  const click = (type: 'css' | 'xpath', value: string) => retry(() => press(place, { type, value }, 'mouse'))
  const tap = (css: string) => retry(() => press(place, { type: 'css', value: css }, 'touch'))
  return {
    goto: (url) =>
      bidi.send('browsingContext.navigate', { context: window, url, wait: 'complete' }).then(() => undefined),
    reload: () =>
      bidi.send('browsingContext.reload', { context: window, wait: 'complete' }).then(() => undefined),
    back: () =>
      bidi.send('browsingContext.traverseHistory', { context: window, delta: -1 }).then(() => undefined),
    url: async () => (await own())?.url ?? '',
    click: (css) => click('css', css),
    press: (words) => click('xpath', xpathOf(words)),
    async type(css, text) {
      await click('css', css)
      await sendKeys(place, Array.from(text.replace('\n', ENTER)))
    },
    resize: (width, height) =>
      bidi
        .send('browsingContext.setViewport', { context: window, viewport: { width, height } })
        .then(() => undefined),
    async pressTab(times) {
      // A popup may have the focus.
      await bidi.send('browsingContext.activate', { context: window })
      await sendKeys(
        place,
        Array.from({ length: times }, () => TAB),
      )
    },
    async runFirst(script) {
      await bidi.send('script.addPreloadScript', {
        functionDeclaration: `() => { ${script} }`,
        contexts: [window],
      })
    },
    async picture() {
      const { data } = await bidi.send<{ data: string }>('browsingContext.captureScreenshot', {
        context: window,
        origin: 'document',
      })
      return Buffer.from(data, 'base64')
    },
    tap: (css) => tap(css),
    async popupAfter(css, gesture = 'click') {
      const before = new Set((await windows()).map((one) => one.context))
      await (gesture === 'click' ? click('css', css) : tap(css))
      const opened = await retry(async () => {
        const found = (await windows()).find((one) => !before.has(one.context))
        if (!found) throw new Error(`No window opened after a click on ${css}.`)
        return found.context
      })
      return firefoxPage({ ...place, window: opened, context: opened })
    },
    evaluate: (expression) => evaluate(place, expression),
    frame: () =>
      retry(async () => {
        const { contexts } = await bidi.send<{ contexts: Context[] }>('browsingContext.getTree', {
          root: context,
        })
        const [inner] = contexts[0]?.children ?? []
        if (!inner) throw new Error('The page has no frame.')
        return firefoxPage({ ...place, context: inner.context })
      }),
    async openTab() {
      const opened = await bidi.send<{ context: string }>('browsingContext.create', {
        type: 'tab',
        userContext,
      })
      return firefoxPage({ ...place, window: opened.context, context: opened.context })
    },
    windows: async () => (await windows()).length,
    isClosed: async () => !(await own()),
    close: () => bidi.send('browsingContext.close', { context }).then(() => undefined),
  }
}

async function sendKeys({ bidi, context }: Place, values: readonly string[]): Promise<void> {
  const actions = values.flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  await bidi.send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })
}

async function press(
  { bidi, context }: Place,
  locator: { type: string; value: string },
  pointerType: 'mouse' | 'touch',
): Promise<void> {
  const { nodes } = await bidi.send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', {
    context,
    locator,
  })
  const [node] = nodes
  if (!node) throw new Error(`No element ${locator.value}.`)
  const element = { sharedId: node.sharedId }
  const { result } = await bidi.send<Evaluated>('script.callFunction', {
    functionDeclaration: SCROLL,
    arguments: [element],
    target: { context },
    awaitPromise: false,
  })
  if (result?.value !== 'true') throw new Error('The page still loads: its elements may move.')
  const actions = [
    { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  await bidi.send('input.performActions', {
    context,
    actions: [{ type: 'pointer', id: pointerType, parameters: { pointerType }, actions }],
  })
}

async function evaluate<T>({ bidi, context }: Place, code: string): Promise<T> {
  const expression = `(async () => JSON.stringify((await (${code})) ?? null))()`
  const answer = await bidi.send<Evaluated>('script.evaluate', {
    expression,
    target: { context },
    awaitPromise: true,
  })
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text)
  return JSON.parse(answer.result?.value ?? 'null') as T
}
