// Serves the backend and the built page from one port. The service is named by the environment, or by `.env`.
import { existsSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { createBackend } from './backend.js'

if (existsSync('.env')) process.loadEnvFile()
const {
  HOST = '127.0.0.1',
  PORT = '8080',
  ORIGIN: origin = `http://127.0.0.1:${PORT}`,
  NODE_ENV,
  ...env
} = process.env
const host = env.FOYER_HOST ?? env.VITE_FOYER_HOST
const applicationId = env.FOYER_APPLICATION_ID ?? env.VITE_FOYER_APPLICATION_ID
const { FOYER_CLIENT_SECRET: secret, FOYER_BOT_TOKEN: token, FOYER_PUBLIC_KEY: publicKey } = env

// `npm run dev` has all of it from the emulator.
if (NODE_ENV !== 'development')
  console.log(`For the real service, set in .env, and build again:
  VITE_FOYER_HOST            address of the service, such as https://service.example
  VITE_FOYER_APPLICATION_ID  ID of your application, from its page in the developer portal
  FOYER_PUBLIC_KEY           its public key, beside the ID
  FOYER_CLIENT_SECRET        its client secret (OAuth2), where the switch "Public Client" stays off
  FOYER_BOT_TOKEN            its bot token (Bot)
  ORIGIN                     address of the game, such as https://game.example
  HOST                       0.0.0.0 in a container: by default only this machine can connect
and register the redirect URI ${origin}/callback.html (OAuth2).`)
const needed = {
  VITE_FOYER_HOST: host,
  VITE_FOYER_APPLICATION_ID: applicationId,
  FOYER_CLIENT_SECRET: secret,
  FOYER_BOT_TOKEN: token,
  FOYER_PUBLIC_KEY: publicKey,
}
const missing = Object.keys(needed).filter((name) => !needed[name])
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
serve({ fetch: backend.fetch, hostname: HOST, port: Number(PORT) }, () =>
  console.log(`Backend: http://127.0.0.1:${PORT}/ for ${origin}`),
)
