// Starts the backend. The service is named by the environment, or by `.env`.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { toNodeListener } from 'foyer-sdk/server'
import { createBackend } from './backend.js'

if (existsSync('.env')) process.loadEnvFile()
const { PORT = '8787', NODE_ENV, ITEMS: folder = 'items', ...env } = process.env
const { FOYER_HOST: host, FOYER_APPLICATION_ID: applicationId } = env
const { FOYER_BOT_TOKEN: token, FOYER_PUBLIC_KEY: publicKey } = env
if (!host || !applicationId || !token || !publicKey) {
  console.error('Set FOYER_HOST, FOYER_APPLICATION_ID, FOYER_BOT_TOKEN and FOYER_PUBLIC_KEY.')
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
