/** Runs a script that uses the built package in workerd, the runtime of Cloudflare Workers, which miniflare starts on this machine. */
import { fileURLToPath } from 'node:url'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { build } from 'vite'

/** Bundles a script with everything that it loads, as wrangler does. */
export async function bundleWorker(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(name, import.meta.url))
  const output = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['es'], fileName: 'worker' },
      rolldownOptions: { platform: 'neutral', output: { codeSplitting: false } },
    },
  })
  const [result] = Array.isArray(output) ? output : [output]
  const chunk = result && 'output' in result ? result.output[0] : undefined
  if (!chunk) throw new Error('Nothing was bundled.')
  return chunk.code
}

export interface RunningWorker {
  readonly url: string
  /** Ends its isolates and starts new ones. The storage of Durable Objects stays. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface WorkerOptions {
  readonly script: string
  readonly compatibilityDate: string
  readonly bindings: Record<string, string>
  readonly durableObjects?: Record<string, string>
  /** Default: a free one. */
  readonly port?: number
}

export async function startWorker({ script, ...options }: WorkerOptions): Promise<RunningWorker> {
  const given: MiniflareOptions = { modules: true, script, port: 0, ...options, host: '127.0.0.1' }
  const miniflare = new Miniflare(given)
  const { origin: url } = await miniflare.ready
  const { port } = new URL(url)
  return {
    url,
    restart: () =>
      miniflare.setOptions({ ...given, port: Number(port), script: `${script}\n// ${Math.random()}` }),
    close: () => miniflare.dispose(),
  }
}
