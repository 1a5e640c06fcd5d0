// Starts the backend. The service is named by the environment, or by `.env`.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { toNodeListener } from 'foyer-sdk/server'
import { createBackend } from './backend.js'

if (existsSync('.env')) process.loadEnvFile()
const { PORT = '8787', NODE_ENV, ITEMS: folder = 'items', ...env } = process.env
const { FOYER_HOST: host, FOYER_APPLICATION_ID: applicationId } = env
const { FOYER_BOT_TOKEN: token, FOYER_PUBLIC_KEY: publicKey } = env
const needed = {
  FOYER_HOST: host,
  FOYER_APPLICATION_ID: applicationId,
  FOYER_BOT_TOKEN: token,
  FOYER_PUBLIC_KEY: publicKey,
}
const missing = Object.keys(needed).filter((name) => !needed[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')}.`)
  for (const name of missing) {
    const other = name.replace('FOYER_', '')
    if (env[other]) console.error(`${other} is set, and is not read as ${name}: set that.`)
  }
  process.exit(1)
}

const allowTest = NODE_ENV === 'development'
const backend = createBackend({ host, applicationId, token, publicKey, folder, allowTest })
const listener = toNodeListener(backend)
const server = createServer((request, response) => void listener(request, response))
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    console.log(`Backend: http://127.0.0.1:${address.port}/`)
})
