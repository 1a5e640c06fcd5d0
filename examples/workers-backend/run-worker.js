// Runs worker.js in workerd, the runtime of Cloudflare, on this machine. wrangler.json says what it needs.
import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import { build } from 'vite'

const here = (name) => new URL(name, import.meta.url)
const { main, compatibility_date, durable_objects } = JSON.parse(readFileSync(here('wrangler.json'), 'utf8'))
const durableObjects = Object.fromEntries(
  durable_objects.bindings.map(({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
)

/** `restart` ends the object and starts it again, as the host does when it likes. Its storage stays. */
export async function runWorker({ bindings, port = 0, watch = false }) {
  let code
  let miniflare
  const options = () => ({
    modules: true,
    // Other code, so that no isolate of before is used again.
    script: `${code}\n// ${Math.random()}`,
    compatibilityDate: compatibility_date,
    durableObjects,
    bindings,
    host: '127.0.0.1',
    port,
  })
  const restart = () => miniflare.setOptions(options())
  const bundled = async (_, { [FILE]: { code: next } }) => {
    code = next
    await (miniflare && restart())
  }
  const watcher = await bundle(bundled, watch)
  miniflare = new Miniflare(options())
  const { origin: url } = await miniflare.ready
  port = Number(new URL(url).port)
  const close = async () => {
    await watcher?.close()
    await miniflare.dispose()
  }
  return { url, restart, close }
}

const FILE = 'worker.js'

/** Resolves once there is code, with the watcher if there is one. */
async function bundle(onCode, watch) {
  const watcher = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [{ name: 'worker-code', generateBundle: onCode }],
    build: {
      write: false,
      copyPublicDir: false,
      target: 'es2022',
      watch: watch ? {} : null,
      lib: { entry: main, formats: ['es'], fileName: () => FILE },
      rolldownOptions: { platform: 'neutral', output: { codeSplitting: false } },
    },
  })
  if (!watch) return undefined
  await new Promise((resolve) => watcher.on('event', ({ code }) => code === 'BUNDLE_END' && resolve()))
  return watcher
}
