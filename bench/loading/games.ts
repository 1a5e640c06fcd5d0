/** The games of the benchmark: each peer in the smallest app that signs in, built by Vite for production. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export interface Game {
  readonly name: string
  readonly app: string
  /** What the library verifies of the response and of the ID token, by its source. */
  readonly verifies: string
  /** The library opens no popup. */
  readonly leavesPage?: boolean
}

const CLAIMS = 'state, nonce, iss, aud, exp'

export const GAMES: readonly Game[] = [
  { name: 'Foyer', app: 'foyer', verifies: `${CLAIMS}, signature, at_hash` },
  { name: 'Foyer, with a store', app: 'foyer-with-store', verifies: `${CLAIMS}, signature, at_hash` },
  { name: 'oauth4webapi', app: 'oauth4webapi-plain', verifies: CLAIMS },
  { name: 'oauth4webapi, signature', app: 'oauth4webapi-signature', verifies: `${CLAIMS}, signature` },
  { name: 'oidc-client-ts', app: 'oidc-client-ts', verifies: 'state; nonce if the game passes one' },
  { name: 'auth0-spa-js', app: 'auth0-spa-js', verifies: CLAIMS },
  { name: 'keycloak-js', app: 'keycloak-js', verifies: 'state, nonce', leavesPage: true },
]

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Configuration with the plugin as it is built, by its public name. */
const WITH_PLUGIN = `import { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer()] }`

/** Returns the files of the built game by path. `/callback.html` is the page that the service returns to. */
export async function buildGame({ app }: Game): Promise<ReadonlyMap<string, string>> {
  const folder = `${ROOT}/.cache/loading/${app}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    `${folder}/index.html`,
    page(`<button>Sign in</button><script type="module" src="/bench/loading/apps/${app}.ts"></script>`),
  )
  const isFoyer = app.startsWith('foyer')
  writeFileSync(`${folder}/vite.config.mjs`, isFoyer ? WITH_PLUGIN : 'export default {}')
  const result = await build({
    root: ROOT,
    publicDir: false,
    configFile: `${folder}/vite.config.mjs`,
    logLevel: 'silent',
    resolve: { alias: { 'foyer-sdk': `${ROOT}/dist/index.js` } },
    build: { write: false, rolldownOptions: { input: `${folder}/index.html` } },
  })
  const files = new Map<string, string>()
  for (const output of [result].flat())
    if ('output' in output)
      for (const file of output.output)
        files.set(
          `/${file.fileName.replace(/.*index.html$/, '')}`,
          file.type === 'chunk' ? file.code : String(file.source),
        )
  if (!isFoyer) files.set('/callback.html', callbackPage(app) ?? files.get('/') ?? '')
  return files
}

const page = (body: string): string =>
  `<!doctype html><title>Game</title><link rel="icon" href="data:," /><script>window.service = __SERVICE__</script>${body}`

/** The smallest page that hands the response over. The others return to a page with their own script. */
function callbackPage(app: string): string | undefined {
  if (!app.startsWith('oauth4webapi')) return undefined
  return '<!doctype html><title>Callback</title><script>opener.postMessage(location.href, location.origin)</script>'
}
