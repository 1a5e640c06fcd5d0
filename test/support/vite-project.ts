/** Game's project with the packed SDK and one version of Vite. */
import { rmSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Vite from 'vite'
import { link, pack } from './packed-package'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGES = {
  6: 'test/support/vite-6/node_modules/vite/dist/node/index.js',
  7: 'test/support/vite-7/node_modules/vite/dist/node/index.js',
  8: 'node_modules/vite/dist/node/index.js',
}

export type ViteVersion = keyof typeof PACKAGES

export const loadVite = (version: ViteVersion): Promise<typeof Vite> =>
  import(/* @vite-ignore */ pathToFileURL(join(ROOT, PACKAGES[version])).href)

const GAME = `import { Client } from 'foyer-sdk'
const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host: host ?? 'https://service.example' } })
const show = (text) => { document.querySelector('#outcome').textContent = text }
document.querySelector('#sign-in').onclick = () => client.signIn().then(({ userId }) => show(userId), ({ code }) => show(code))
document.querySelector('#user').onclick = () => client.fetchCurrentUser().then(({ username }) => show(username), ({ code }) => show(code))
`
const HTML = `<!doctype html><title>Game</title><link rel="icon" href="data:," /><button id="sign-in">Sign in</button>
<button id="user">User</button><output id="outcome"></output><script type="module" src="/main.js"></script>`

export interface ViteProject extends Disposable {
  root: string
  /** Writes a file of the project. */
  write(name: string, text: string): void
}

/** Creates a project whose \`vite.config.js\` uses the plugin. */
export function createViteProject(config = ''): ViteProject {
  const packed = pack('.')
  link('foyer-emulator', packed.project)
  const write = (name: string, text: string) => {
    mkdirSync(join(packed.project, 'src'), { recursive: true })
    writeFileSync(join(packed.project, name), text)
  }
  write('package.json', JSON.stringify({ name: 'game', type: 'module', private: true }))
  write('index.html', HTML)
  write('main.js', GAME)
  write(
    'vite.config.js',
    `import { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer({ emulator: { port: 0 } })], ${config} }\n`,
  )
  return {
    root: packed.project,
    write,
    [Symbol.dispose]: () => (
      rmSync(packed.project, { recursive: true, force: true }),
      packed[Symbol.dispose]()
    ),
  }
}
