/** The classic script in a real Chromium: in a page with a strict policy, and in a worker. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { pack } from '../support/packed'

const CLIENT = "new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })"
const POLICY = "default-src 'none'; script-src 'self'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

let files: Record<string, { type: string; body: string }>
let server: Server
let origin: string

beforeAll(async () => {
  using packed = pack('.')
  const read = (path: string) => readFileSync(join(packed.folder, path), 'utf8')
  files = {
    '/': {
      type: 'text/html',
      body: '<!doctype html><title>Game</title><script src="/index.umd.js"></script><script src="/game.js"></script>',
    },
    '/index.umd.js': { type: 'text/javascript', body: read('dist/umd/index.umd.js') },
    '/game.js': { type: 'text/javascript', body: `document.title = typeof Foyer.Client + ' ' + ${CLIENT}.status` },
    '/worker.js': {
      type: 'text/javascript',
      body: `importScripts('/index.umd.js'); postMessage(typeof Foyer.Client + ' ' + ${CLIENT}.status + ' ' + typeof window)`,
    },
    '/callback.html': { type: 'text/html', body: read('dist/callback/callback.html') },
    '/callback.js': { type: 'text/javascript', body: read('dist/callback/callback.js') },
  }
  server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    const headers = { 'content-type': file?.type ?? 'text/plain', 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' }
    response.writeHead(file ? 200 : 404, headers).end(file?.body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // An address from listen() on a port is never text.
  const { port } = server.address() as AddressInfo
  origin = `http://localhost:${port}`
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))

/** Opens a page and gives its answer, with everything the browser complained about. */
async function visit(browser: Browser, path: string) {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on(
    'console',
    (message) => message.type() === 'error' && !message.location().url.endsWith('/favicon.ico') && complaints.push(message.text()),
  )
  await page.goto(origin + path)
  return { page, complaints }
}

test('a <script> in a page with a strict content policy gives Foyer', async ({ skip }) => {
  const browser = await launchChromium({ skip })
  try {
    const { page, complaints } = await visit(browser, '/')
    expect(await page.title()).toBe('function disconnected')
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})

test('importScripts in a worker gives Foyer, without a window', async ({ skip }) => {
  const browser = await launchChromium({ skip })
  try {
    const { page } = await visit(browser, '/callback.html')
    files['/start.js'] = { type: 'text/javascript', body: "new Worker('/worker.js').onmessage = ({ data }) => { document.title = data }" }
    files['/start'] = { type: 'text/html', body: '<!doctype html><title>Waiting</title><script src="/start.js"></script>' }
    // Trusted Types would ask for a policy around the worker's URL; that is the page's affair, so this page goes without.
    await page.route('**/start', (route) => route.fulfill({ contentType: 'text/html', body: files['/start']?.body ?? '' }))
    await page.route('**/worker.js', (route) => route.fulfill({ contentType: 'text/javascript', body: files['/worker.js']?.body ?? '' }))
    await page.goto(`${origin}/start`)
    await page.waitForFunction(() => document.title !== 'Waiting')
    expect(await page.title()).toBe('function disconnected undefined')
  } finally {
    await browser.close()
  }
})

test('the callback page runs under its own policy and says what to do when nothing came with it', async ({ skip }) => {
  const browser = await launchChromium({ skip })
  try {
    const { page, complaints } = await visit(browser, '/callback.html')
    await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('#close')?.hidden === false)
    expect(await page.locator('#status').textContent()).toContain('sign in there')
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
