/** The classic script and the callback page in a real Chromium, under a strict content policy and in a worker. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { pack } from '../support/packed-package'

const CLIENT =
  "typeof Foyer.Client + ' ' + new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } }).status"
const STRICT =
  "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
/** The address of a worker would need a Trusted Types policy of the page. */
const WITH_WORKER = "default-src 'none'; script-src 'self'; worker-src 'self'"

interface File {
  type: 'html' | 'javascript'
  body: string
  policy?: string
}

/** Response to all other paths, such as the browser’s request for an icon. */
const NOTHING: File = { type: 'html', body: '' }

let files: Record<string, File>
let server: Server
let origin: string

beforeAll(async () => {
  using packed = pack('.')
  const read = (path: string) => readFileSync(join(packed.folder, path), 'utf8')
  files = {
    '/': {
      type: 'html',
      body: page('<script src="/index.umd.js"></script><script src="/game.js"></script>'),
    },
    '/index.umd.js': { type: 'javascript', body: read('dist/umd/index.umd.js') },
    '/game.js': { type: 'javascript', body: `document.title = ${CLIENT}` },
    '/with-worker': { type: 'html', body: page('<script src="/start.js"></script>'), policy: WITH_WORKER },
    '/start.js': {
      type: 'javascript',
      body: "new Worker('/worker.js').onmessage = ({ data }) => { document.title = data }",
    },
    '/worker.js': {
      type: 'javascript',
      policy: WITH_WORKER,
      body: `importScripts('/index.umd.js'); postMessage(${CLIENT} + ' ' + typeof window)`,
    },
    '/callback.html': {
      type: 'html',
      body: read('dist/callback/callback.html'),
      policy: `${STRICT}; img-src data:`,
    },
    '/callback.js': { type: 'javascript', body: read('dist/callback/callback.js') },
  }
  server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname] ?? NOTHING
    const { type, policy = STRICT, body } = file
    response.writeHead(200, {
      'content-type': `text/${type}`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.')
  origin = `http://localhost:${address.port}`
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))

const page = (scripts: string): string => `<!doctype html><title></title>${scripts}`

/** Opens a page, waits until `getResult` returns a value, and returns that with all errors of the browser. */
async function visit(browser: Browser, path: string, getResult: () => string) {
  const tab = await browser.newPage()
  const errors: string[] = []
  tab.on('pageerror', (error) => errors.push(error.message))
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await tab.goto(origin + path)
  // A function, not a string: the page’s policy forbids evaluating strings, also for the test.
  const words = await tab.waitForFunction(getResult)
  return { words: await words.jsonValue(), errors }
}

test('the classic script defines Foyer in a page with a strict content policy', async ({ skip }) => {
  await using browser = await launchChromium({ skip })
  expect(await visit(browser, '/', () => document.title)).toEqual({
    words: 'function disconnected',
    errors: [],
  })
})

test('the classic script defines Foyer in a worker through importScripts', async ({ skip }) => {
  await using browser = await launchChromium({ skip })
  expect(await visit(browser, '/with-worker', () => document.title)).toEqual({
    words: 'function disconnected undefined',
    errors: [],
  })
})

test('the callback page runs under its own policy and shows what to do when it has no response', async ({
  skip,
}) => {
  await using browser = await launchChromium({ skip })
  const { words, errors } = await visit(browser, '/callback.html', () =>
    document.querySelector('button:not([hidden])') ? document.body.innerText : '',
  )
  expect(words).toContain('sign in there')
  expect(errors).toEqual([])
})
