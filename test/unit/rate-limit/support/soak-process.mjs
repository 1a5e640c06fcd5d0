/** Soak test in a separate process with its own heap: `node --expose-gc soak-process.mjs MINUTES SEED` prints the report. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [minutes, seed] = process.argv.slice(2).map(Number)
const { module } = await runnerImport(fileURLToPath(new URL('soak.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
})
/** Bytes. */
const heap = []
const look = () => {
  globalThis.gc()
  heap.push(process.memoryUsage().heapUsed)
}
process.stdout.write(`${JSON.stringify({ ...(await module.soak({ minutes, seed, look })), heap })}\n`)
