/** Runs a benchmark module in a real Chromium, bundled with the built SDK as a game would bundle it. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { launchChromium } from '../test/support/chromium'

/** `Cross-Origin-*`: an isolated page has a clock resolution of 5 µs instead of 100. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/** Resolves with the result of the module's `run`. */
export async function inChromium<T>(module: string): Promise<T> {
  const code = await bundle(module)
  const server = createServer(({ url }, response) => {
    const script = url === '/bench.js'
    response.writeHead(200, { ...HEADERS, 'content-type': script ? 'text/javascript' : 'text/html' })
    response.end(script ? code : '<!doctype html><title>Bench</title>')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.')
  const browser = await launchChromium(undefined, { full: true })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${address.port}/`)
    return await page.evaluate<T>("import('/bench.js').then(({ run }) => run())")
  } finally {
    await browser.close()
    server.close()
  }
}

async function bundle(module: string): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'foyer-sdk': `${root}/dist/index.js` } },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: module, formats: ['es'] },
      rolldownOptions: { output: { minify: true, codeSplitting: false } },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  const [chunk] = outputs.flatMap((output) =>
    'output' in output ? output.output.filter((file) => file.type === 'chunk') : [],
  )
  if (!chunk) throw new Error(`${module} made no bundle.`)
  return chunk.code
}
