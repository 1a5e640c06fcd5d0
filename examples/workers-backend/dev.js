// Runs the page in Vite and the backend in workerd, with the values of `foyer-emulator exec` in the environment.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createServer, preview } from 'vite'
import { runWorker } from './run-worker.js'

if (existsSync('.env')) process.loadEnvFile()
const { values } = parseArgs({ options: { port: { type: 'string' }, built: { type: 'boolean' } } })
const { PORT = '8080', FOYER_HOST, FOYER_APPLICATION_ID, ...env } = process.env
// The emulator's values come without VITE_. In `.env`, the page and the Worker read the same two lines.
const { VITE_FOYER_HOST = FOYER_HOST, VITE_FOYER_APPLICATION_ID = FOYER_APPLICATION_ID } = env
const { FOYER_PUBLIC_KEY, FOYER_CLIENT_SECRET, FOYER_BOT_TOKEN } = env
const secrets = { FOYER_PUBLIC_KEY, FOYER_CLIENT_SECRET, FOYER_BOT_TOKEN }
const needed = { VITE_FOYER_HOST, VITE_FOYER_APPLICATION_ID, ...secrets }
const missing = Object.keys(needed).filter((name) => !needed[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')} in .env: README.md says where they are from.`)
  for (const name of missing) {
    const other = name.replace(/^(VITE_)?FOYER_/, '')
    if (env[other]) console.error(`${other} is set, and is not read as ${name}: set that.`)
  }
  process.exit(1)
}
const settings = {
  FOYER_HOST: FOYER_HOST ?? VITE_FOYER_HOST,
  FOYER_APPLICATION_ID: FOYER_APPLICATION_ID ?? VITE_FOYER_APPLICATION_ID,
  ...secrets,
}

// The page and the backend have one address, as they have at Cloudflare.
const backend = `http://127.0.0.1:${PORT}`
const proxy = Object.fromEntries(
  ['/session', '/lobbies', '/tickets', '/interactions'].map((path) => [path, backend]),
)
const options = { port: Number(values.port ?? 5173), proxy }
const page = values.built
  ? await preview({ preview: options })
  : await createServer({ server: options }).then((server) => server.listen())
const ORIGIN = new URL(page.resolvedUrls.local[0]).origin
const worker = await runWorker({
  bindings: { ...settings, ORIGIN },
  port: Number(PORT),
  watch: !values.built,
})
page.printUrls()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => worker.close().then(() => process.exit()))
