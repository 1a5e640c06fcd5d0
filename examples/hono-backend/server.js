// Serves the backend and the built page from one port. The service is named by the environment, or by `.env`.
import { existsSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { createBackend } from './backend.js'

if (existsSync('.env')) process.loadEnvFile()
const { HOST = '127.0.0.1', PORT = '8080', NODE_ENV, ...env } = process.env
const origin = env.ORIGIN || `http://127.0.0.1:${PORT}`
const host = env.FOYER_HOST ?? env.VITE_FOYER_HOST
const applicationId = env.FOYER_APPLICATION_ID ?? env.VITE_FOYER_APPLICATION_ID
const { FOYER_CLIENT_SECRET: secret, FOYER_BOT_TOKEN: token, FOYER_PUBLIC_KEY: publicKey } = env

const settings = [
  ['VITE_FOYER_HOST', host, 'address of the service, such as https://service.example'],
  [
    'VITE_FOYER_APPLICATION_ID',
    applicationId,
    'ID of your application, from its page in the developer portal',
  ],
  ['FOYER_PUBLIC_KEY', publicKey, 'its public key, beside the ID'],
  ['FOYER_CLIENT_SECRET', secret, 'its client secret (OAuth2), where the switch "Public Client" stays off'],
  ['FOYER_BOT_TOKEN', token, 'its bot token (Bot)'],
  ['ORIGIN', env.ORIGIN, `address of the game, such as https://game.example; now ${origin}`],
]
const unset = settings.filter(([, value]) => !value)
// `npm run dev` has all of it from the emulator.
if (unset.length > 0 && NODE_ENV !== 'development')
  console.log(`For the real service, set in .env, and build again:
${unset.map(([name, , meaning]) => `  ${name.padEnd(25)}  ${meaning}`).join('\n')}
and register the redirect URI ${origin}/callback.html (OAuth2).`)
// Without an origin the game is for this machine.
const missing = unset.map(([name]) => name).filter((name) => name !== 'ORIGIN')
if (missing.length > 0) {
  console.error(`The backend cannot start without ${missing.join(', ')}.`)
  for (const name of missing) {
    const other = name.replace(/^(VITE_)?FOYER_/, '')
    if (process.env[other]) console.error(`${other} is set, and is not read as ${name}: set that.`)
  }
  process.exit(1)
}

const backend = await createBackend({ host, applicationId, secret, token, publicKey, origin })
// During development Vite serves the page.
if (NODE_ENV !== 'development') backend.use(serveStatic({ root: './dist' }))
serve({ fetch: backend.fetch, hostname: HOST, port: Number(PORT) }, () => {
  const reach = HOST === '127.0.0.1' ? ', on this machine only: in a container set HOST=0.0.0.0' : ''
  console.log(`Backend: http://${HOST}:${PORT}/ for ${origin}${reach}`)
})
