/** A game built with Vite, webpack and esbuild signs in under a strict content policy, and loads the files that `npm run size` counts. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Bundle, bundleGame, BUNDLERS, type Bundler, type Chunk } from '../../package/bundle-game'
import { loadedUntilSignedIn } from '../../package/compare-bundlers'
import { useBrowserGame } from '../../support/browser-game'
import { approve, popupAfter } from '../../support/consent-page'
import { listen } from '../../support/loopback'
import { pack, type PackedPackage } from '../../support/packed-package'

/** webpack's own loader of later files needs a policy; see docs/shipping.md. */
const TRUSTED_TYPES: Record<Bundler, string> = { Vite: "'none'", webpack: 'webpack', esbuild: "'none'" }

const CHECKS = ['client/page/local-service-fault.js']

const chromium = useBrowserGame()
let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

const game = ({ url, application }: Emulator): string => `import { Client } from 'foyer-sdk'
const client = new Client({ applicationId: '${application.id}', service: { host: '${url}' } })
const show = (text) => document.querySelector('output').append(text)
document.querySelector('button').onclick = () => client.signIn().then(({ userId }) => show(userId), ({ message }) => show(message))
`
const BODY = '<link rel="icon" href="data:," /><button>Sign in</button><output></output>'

const callbackFile = (name: string): string => readFileSync(`dist/callback/${name}`, 'utf8')

/** Serves the page with a policy; `requested` lists the files of the game that the page has requested. */
async function serve({ html, chunks }: Bundle, policy: string) {
  const requested: string[] = []
  const files = new Map([
    ['', html.replace('<title>', `${BODY}<title>`)],
    ...['callback.html', 'callback.js'].map((name): [string, string] => [name, callbackFile(name)]),
    ...chunks.map(({ fileName, code }): [string, string] => [fileName, code]),
  ])
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1)
    if (chunks.some(({ fileName }) => fileName === path)) requested.push(path)
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    const headers = { 'content-type': type, ...(path === '' && { 'content-security-policy': policy }) }
    response.writeHead(files.has(path) ? 200 : 404, headers).end(files.get(path))
  })
  const { port, close } = await listen(server)
  onTestFinished(close)
  return { url: `http://localhost:${port}/`, requested }
}

test.each(BUNDLERS)(
  '%s: the game signs in under Trusted Types, and loads the counted files only',
  async (bundler) => {
    const emulator = await createEmulator()
    onTestFinished(() => emulator.close())
    const bundle = await bundleGame(bundler, packed.project, game(emulator))
    const policy = `script-src 'self'; require-trusted-types-for 'script'; trusted-types ${TRUSTED_TYPES[bundler]}`
    const { url, requested } = await serve(bundle, policy)
    const page = await chromium.context.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    expect(requested.toSorted()).toEqual(names(bundle.atLoad))
    await approve(await popupAfter(page, 'button'))
    await page.locator('output', { hasText: /./ }).waitFor()
    expect(await page.locator('output').textContent()).toBe('175928847299117063')
    const loaded = names(loadedUntilSignedIn(bundle))
    // The page has also loaded what checks a service on this machine.
    const checks = new Set(names(CHECKS.flatMap(bundle.load)).filter((name) => !loaded.includes(name)))
    expect(requested.filter((name) => !checks.has(name)).toSorted()).toEqual(loaded)
  },
)

const names = (chunks: readonly Chunk[]): string[] => chunks.map(({ fileName }) => fileName).toSorted()
