// Runs Vite and the backend side by side, with the values of `foyer-emulator exec` in the environment.
import { spawn } from 'node:child_process'
import { createServer } from 'vite'

const vite = await createServer({ server: { port: 5173, strictPort: true } })
await vite.listen()
const env = { ...process.env, PORT: '8787', NODE_ENV: 'development' }
const backend = spawn(process.execPath, ['--watch', 'server.js'], { env, stdio: 'inherit' })
process.on('exit', () => backend.kill())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit())
