/** The classic script and the callback page in a real Chromium: under a strict policy, and in a worker. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { pack } from '../support/packed-package'

const CLIENT = "typeof Foyer.Client + ' ' + new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } }).status"
const STRICT = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
/** A worker's address would need a Trusted Types policy of the page's own. */
const WITH_WORKER = "default-src 'none'; script-src 'self'; worker-src 'self'"

interface File {
  type: 'html' | 'javascript'
  body: string
  policy?: string
}

/** For the icon that browsers ask for. */
const NOTHING: File = { type: 'html', body: '' }

let files: Record<string, File>
let server: Server
let origin: string

beforeAll(async () => {
  using packed = pack('.')
  const read = (path: string) => readFileSync(join(packed.folder, path), 'utf8')
  files = {
    '/': { type: 'html', body: page('<script src="/index.umd.js"></script><script src="/game.js"></script>') },
    '/index.umd.js': { type: 'javascript', body: read('dist/umd/index.umd.js') },
    '/game.js': { type: 'javascript', body: `document.title = ${CLIENT}` },
    '/with-worker': { type: 'html', body: page('<script src="/start.js"></script>'), policy: WITH_WORKER },
    '/start.js': { type: 'javascript', body: "new Worker('/worker.js').onmessage = ({ data }) => { document.title = data }" },
    '/worker.js': {
      type: 'javascript',
      policy: WITH_WORKER,
      body: `importScripts('/index.umd.js'); postMessage(${CLIENT} + ' ' + typeof window)`,
    },
    '/callback.html': { type: 'html', body: read('dist/callback/callback.html'), policy: `${STRICT}; img-src data:` },
    '/callback.js': { type: 'javascript', body: read('dist/callback/callback.js') },
  }
  server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname] ?? NOTHING
    const { type, policy = STRICT, body } = file
    response.writeHead(200, { 'content-type': `text/${type}`, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    response.end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.')
  origin = `http://localhost:${address.port}`
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))

const page = (scripts: string): string => `<!doctype html><title></title>${scripts}`

/** Opens a page, waits until it has said something, and gives that with everything the browser complained about. */
async function visit(browser: Browser, path: string, said: () => string) {
  const tab = await browser.newPage()
  const complaints: string[] = []
  tab.on('pageerror', (error) => complaints.push(error.message))
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await tab.goto(origin + path)
  // A function, not text: the page's policy forbids making code from text, to the test as well.
  const words = await tab.waitForFunction(said)
  return { words: await words.jsonValue(), complaints }
}

test('a <script> in a page with a strict content policy gives Foyer', async ({ skip }) => {
  await using browser = await launchChromium({ skip })
  expect(await visit(browser, '/', () => document.title)).toEqual({ words: 'function disconnected', complaints: [] })
})

test('importScripts in a worker gives Foyer, without a window', async ({ skip }) => {
  await using browser = await launchChromium({ skip })
  expect(await visit(browser, '/with-worker', () => document.title)).toEqual({ words: 'function disconnected undefined', complaints: [] })
})

test('the callback page runs under its own policy, and says what to do when no answer came with it', async ({ skip }) => {
  await using browser = await launchChromium({ skip })
  const { words, complaints } = await visit(browser, '/callback.html', () =>
    document.querySelector('button:not([hidden])') ? document.body.innerText : '',
  )
  expect(words).toContain('sign in there')
  expect(complaints).toEqual([])
})
