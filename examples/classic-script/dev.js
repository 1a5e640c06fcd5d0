// Serves the page and the files of the SDK beside it, as any web server would. The emulator's address goes into the page.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'

const sdk = join(createRequire(import.meta.url).resolve('foyer-sdk/package.json'), '../dist')
const FILES = {
  '/': join(import.meta.dirname, 'index.html'),
  '/game.js': join(import.meta.dirname, 'game.js'),
  '/style.css': join(import.meta.dirname, 'style.css'),
  '/foyer.js': join(sdk, 'umd/index.umd.js'),
  '/callback.html': join(sdk, 'callback/callback.html'),
  '/callback.js': join(sdk, 'callback/callback.js'),
}
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const server = createServer((request, response) => {
  const file = FILES[request.url.split('?')[0]]
  if (!file) {
    response.writeHead(404).end()
    return
  }
  const text = readFileSync(file, 'utf8').replace(
    "'http://127.0.0.1:4320'",
    JSON.stringify(process.env.FOYER_HOST),
  )
  response.writeHead(200, { 'content-type': TYPES[extname(file)] }).end(text)
})
const port = process.argv.includes('--port') ? Number(process.argv.at(-1)) : 5173
server.listen(port, 'localhost', () => console.log(`Local: http://localhost:${server.address().port}/`))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit())
