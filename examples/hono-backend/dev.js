// Runs Vite and the backend side by side, with the values of `foyer-emulator exec` in the environment.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const { port = '5173' } = parseArgs({ options: { port: { type: 'string' } } }).values
const vite = await createServer({ server: { port: Number(port) } })
await vite.listen()
// The backend signs in players of this page only.
const env = { ...process.env, ORIGIN: new URL(vite.resolvedUrls.local[0]).origin, NODE_ENV: 'development' }
const backend = spawn(process.execPath, ['--watch', 'server.js'], {
  env,
  stdio: ['inherit', 'pipe', 'inherit'],
})
backend.stdout.once('data', () => vite.printUrls()).pipe(process.stdout)
process.on('exit', () => backend.kill())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit())
