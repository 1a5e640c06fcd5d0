/** Checks whether the redirect target can be reached while the consent page is open. */
// A popup that fails to load reports nothing to the game.
import { connect } from 'node:net'

export interface CallbackProblem {
  /** A problem, and its solution. */
  summary: string
  advice: string
  /** True if the emulator could not connect; the browser may still reach it, for example from another machine. */
  unreachable?: boolean
}

/** Milliseconds. A local server responds sooner, or is busy. */
const PATIENCE = 2000
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const SCRIPT_TAGS = /<script\b[^<>]*/gi
const SOURCE_ATTRIBUTE = /\ssrc\s*=\s*["']?([^"'\s>]*)/i

/** Returns undefined if there is no problem, and where the emulator cannot check: other hosts, custom schemes, slow servers. */
export async function probeCallback(redirectUri: string | undefined): Promise<CallbackProblem | undefined> {
  const url = URL.parse(redirectUri ?? '')
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return undefined
  if (!(await isListening(url))) return nobodyThere(url)
  // Another path may belong to a program that waits for one request, which must be the player's redirect.
  if (!/(?:\.html|\/)$/.test(url.pathname)) return undefined
  const page = await load(url)
  if (page?.status === 404)
    return missing(url, `The server at ${url.origin} answers 404 for ${url.pathname}.`)
  return page?.status === 200 && url.pathname.endsWith('/callback.html') ? checkFiles(url, page) : undefined
}

async function checkFiles(url: URL, page: Loaded): Promise<CallbackProblem | undefined> {
  const sources = [...page.text.matchAll(SCRIPT_TAGS)].map(([tag]) => SOURCE_ATTRIBUTE.exec(tag)?.[1])
  const script = sources.find((source) => source?.includes('callback.js'))
  if (script === undefined)
    return (await isFallback(url, page))
      ? missing(url, `The server answers with another page for ${url.pathname}.`)
      : undefined
  const file = await load(new URL(script, url))
  if (file === undefined || (file.status === 200 && /javascript|ecmascript/i.test(file.type)))
    return undefined
  return missing(url, `${url.pathname} is there, but its callback.js is not.`)
}

/** Servers of single-page applications respond to unknown paths with the game's page. */
async function isFallback(url: URL, { text }: Loaded): Promise<boolean> {
  const nowhere = await load(new URL(`callback-${crypto.randomUUID()}.html`, url))
  return nowhere?.status === 200 && nowhere.text === text
}

function missing({ href }: URL, summary: string): CallbackProblem {
  const advice = `Copy callback.html and callback.js from node_modules/foyer-sdk/dist/callback to where ${href} is served (with Vite: public/), then reload this page.`
  return { summary, advice }
}

function nobodyThere({ origin, href }: URL): CallbackProblem {
  const advice = `Start the server of the game, or check the redirectUri: the answer would go to ${href}. Then reload this page.`
  return { summary: `Nothing answers at ${origin}.`, advice, unreachable: true }
}

/** Only a refused connection means that no server is running. */
function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 80),
      timeout: PATIENCE,
    })
    const settle = (state: 'listening' | 'refused') => {
      socket.destroy()
      resolve(state === 'listening')
    }
    socket.once('connect', () => settle('listening'))
    socket.once('timeout', () => settle('listening'))
    socket.once('error', (error: NodeJS.ErrnoException) => settle(isRefusal(error) ? 'refused' : 'listening'))
  })
}

/** A host name with several addresses fails with one AggregateError. */
function isRefusal(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): boolean {
  return [error, ...(error.errors ?? [])].some(({ code }) => code === 'ECONNREFUSED')
}

interface Loaded {
  status: number
  type: string
  text: string
}

async function load(url: URL): Promise<Loaded | undefined> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html, */*' },
      signal: AbortSignal.timeout(PATIENCE),
    })
    const text = (await response.text()).slice(0, 100_000)
    return { status: response.status, type: response.headers.get('content-type') ?? '', text }
  } catch {
    return undefined
  }
}
