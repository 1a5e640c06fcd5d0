/** The code of docs/frameworks.md for Vue and Svelte, unchanged, with the real packages: in a page of Vite, and rendered by a server. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { createServer } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { approve, deny, popupAfter } from '../support/consent-page'
import { useEmulator } from '../support/example-emulator'
import { serveExample } from '../support/example-project'
import { createViteProject, type ViteProject } from '../support/vite-project'
import { link } from '../support/packed-package'

const ADA = '175928847299117063'

const CLIENT = `import { Client, localStorageStore } from 'foyer-sdk'
const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
export const client = new Client({ applicationId, service: { host: host ?? 'https://service.example' }, tokenStore: localStorageStore() })
globalThis.client = client
const counts = new Map()
const { on } = client
const count = (event, change) => counts.set(event, (counts.get(event) ?? 0) + change)
client.on = (event, ...rest) => {
  const off = on(event, ...rest)
  count(event, 1)
  return () => {
    count(event, -1)
    off()
  }
}
globalThis.listenersOf = (event) => counts.get(event) ?? 0
`
/** Number of listeners that the page or the server has added to its client. */
const LISTENERS = "['sessionChanged', 'tokenRefreshed'].map((event) => listenersOf(event)).join()"
/** The text of the server is there before the scripts: only a hydrated page hears clicks. */
const IS_HYDRATED = `globalThis.client && ${LISTENERS} === '1,1'`

const VUE = {
  'App.js': `import { h, ref } from 'vue'
import { client } from './client.js'
import { useFoyer } from './foyer.ts'
const Player = {
  setup() {
    const { session, isResuming, error, signIn } = useFoyer(client)
    const player = () => (isResuming.value ? 'resuming' : (session.value?.userId ?? 'nobody'))
    return () => [
      h('output', { id: 'player' }, [player(), error.value?.code].join(' ').trim()),
      h('button', { id: 'sign-in', onClick: signIn }, 'Sign in'),
    ]
  },
}
const isShown = ref(true)
export const App = {
  setup: () => () => h('main', [h('button', { id: 'toggle', onClick: () => (isShown.value = !isShown.value) }, 'Toggle'), isShown.value && h(Player)]),
}
`,
  'main.js': `import { createSSRApp } from 'vue'
import { App } from './App.js'
createSSRApp(App).mount('#app')
`,
  'server.js': `import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { client } from './client.js'
import { App } from './App.js'
export const render = async () => [await renderToString(createSSRApp(App)), ${LISTENERS}]
`,
}

const SVELTE = {
  'Player.svelte': `<script>
  import { client } from './client.js'
  import { useFoyer } from './foyer.ts'
  const { session, isResuming, error, signIn } = useFoyer(client)
  const player = $derived($isResuming ? 'resuming' : ($session?.userId ?? 'nobody'))
</script>
<output id="player">{[player, $error?.code].join(' ').trim()}</output>
<button id="sign-in" onclick={signIn}>Sign in</button>
`,
  'App.svelte': `<script>
  import Player from './Player.svelte'
  let isShown = $state(true)
</script>
<button id="toggle" onclick={() => (isShown = !isShown)}>Toggle</button>
{#if isShown}<Player />{/if}
`,
  'main.js': `import { hydrate } from 'svelte'
import App from './App.svelte'
hydrate(App, { target: document.querySelector('#app') })
`,
  'server.js': `import { render as renderToString } from 'svelte/server'
import { client } from './client.js'
import App from './App.svelte'
export const render = async () => [(await renderToString(App)).body, ${LISTENERS}]
`,
}

/** Compiles components, as the plugin of Svelte does. */
const COMPILE = `{ name: 'svelte', transform(code, id, { ssr } = {}) {
  return id.endsWith('.svelte') ? compile(code, { filename: id, generate: ssr ? 'server' : 'client' }).js : undefined
} }`

/** Files of a section of docs/frameworks.md: each block begins with a comment that names its own. */
function documentedFiles(section: string): Map<string, string> {
  const [, text = ''] = readFileSync('docs/frameworks.md', 'utf8').split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return new Map(
    [...own.matchAll(/```\w+\n(?:\/\/|<!--) ([\w.]+).*\n([\s\S]*?)```/g)].map(
      ([, path = '', code = '']): [string, string] => [path, code],
    ),
  )
}

const documented = (section: string): string => documentedFiles(section).get('foyer.ts') ?? ''

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Compiles components of one file, as the plugin of Vue does. */
const COMPILE_VUE = `{ name: 'vue', transform(code, id) {
  if (!id.endsWith('.vue')) return undefined
  const { descriptor } = parse(code, { filename: id })
  return transformWithOxc(compileScript(descriptor, { id: 'game', inlineTemplate: true }).content, id + '.ts')
} }`

/** What the plugins of both for Vite would set. */
const VUE_CONFIG = `import { foyer } from 'foyer-sdk/vite'
import { transformWithOxc } from 'vite'
import { compileScript, parse } from 'vue/compiler-sfc'
export default {
  plugins: [foyer(), ${COMPILE_VUE}],
  define: { __VUE_OPTIONS_API__: true, __VUE_PROD_DEVTOOLS__: false, __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false },
}
`
const SVELTE_CONFIG = `import { foyer } from 'foyer-sdk/vite'
import { compile } from 'svelte/compiler'
export default {
  plugins: [foyer(), ${COMPILE}],
  optimizeDeps: { include: ['svelte', 'svelte/store', 'svelte/internal/client', 'svelte/internal/disclose-version', 'svelte/internal/flags/legacy'] },
}
`

const FRAMEWORKS = {
  Vue: { ...VUE, 'vite.config.js': VUE_CONFIG },
  Svelte: { ...SVELTE, 'vite.config.js': SVELTE_CONFIG },
}
type Framework = keyof typeof FRAMEWORKS

function createProject(name: Framework): ViteProject {
  const project = createViteProject()
  onTestFinished(() => project[Symbol.dispose]())
  for (const each of [name.toLowerCase(), 'vite']) link(each, project.root)
  for (const [file, text] of Object.entries(FRAMEWORKS[name])) project.write(file, text)
  project.write('client.js', CLIENT)
  project.write('foyer.ts', documented(name))
  return project
}

const page = (html: string) =>
  `<!doctype html><title>Game</title><link rel="icon" href="data:," /><div id="app">${html}</div><script type="module" src="/main.js"></script>`

/** Renders the page on a server, as Nuxt and SvelteKit do. Resolves with the HTML, and the listeners that remain. */
async function render(root: string): Promise<[html: string, listeners: string]> {
  const server = await createServer({ root, logLevel: 'error', server: { middlewareMode: true } })
  try {
    const { render: run } = (await server.ssrLoadModule('/server.js')) as {
      render: () => Promise<[string, string]>
    }
    return await run()
  } finally {
    await server.close()
  }
}

async function open(url: string): Promise<{ tab: Page; complaints: string[] }> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const tab = await context.newPage()
  const complaints: string[] = []
  tab.on('pageerror', (error) => complaints.push(error.message))
  tab.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
  )
  await tab.goto(url)
  return { tab, complaints }
}

test.each(['Vue', 'Svelte'] as Framework[])(
  '%s: shows who signs in, what failed and who comes back, and ends with its component',
  async (name) => {
    const emulator = await useEmulator()
    const project = createProject(name)
    const [html, listeners] = await render(project.root)
    expect(html).toContain('resuming')
    expect([listeners, emulator.requests.length]).toEqual(['0,0', 0])
    project.write('index.html', page(html))
    const { tab, complaints } = await open(await serveExample(project.root))
    const shows = (text: string) => tab.locator('#player', { hasText: new RegExp(`^${text}$`) }).waitFor()
    await shows('nobody')
    await tab.waitForFunction(IS_HYDRATED)
    await deny(await popupAfter(tab, '#sign-in'))
    await shows('nobody access_denied')
    await approve(await popupAfter(tab, '#sign-in'))
    await shows(ADA)
    expect(await tab.evaluate(LISTENERS)).toBe('1,1')
    await tab.click('#toggle')
    await tab.locator('#player').waitFor({ state: 'detached' })
    expect(await tab.evaluate(LISTENERS)).toBe('0,0')
    await tab.evaluate('client.signOut()')
    await tab.click('#toggle')
    await shows('nobody')
    await approve(await popupAfter(tab, '#sign-in'))
    await shows(ADA)
    await tab.reload()
    await shows(ADA)
    expect(complaints).toEqual([])
  },
)

const LOBBY_BROWSER = ['foyer.ts', 'lobbies.ts', 'client.ts', 'App.vue']
const MAIN = `import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
createApp(App).use(createPinia()).mount('#app')
`
const STREAMS = {
  'without a lobby stream': '',
  'with a lobby stream': "lobbyUpdates: lobbyStream(import.meta.env.VITE_FOYER_HOST + '/lobby-stream'),",
}

/** The blocks of the page, unchanged but for the options of the client. */
function createLobbyBrowser(stream: string): ViteProject {
  const project = createViteProject()
  onTestFinished(() => project[Symbol.dispose]())
  for (const name of ['vue', 'pinia', 'vite']) link(name, project.root)
  const files = documentedFiles('Vue')
  for (const file of LOBBY_BROWSER) project.write(file, files.get(file) ?? '')
  const client = (files.get('client.ts') ?? '')
    .replace("'1234567890123456789'", 'import.meta.env.VITE_FOYER_APPLICATION_ID')
    .replace("'https://service.example'", 'import.meta.env.VITE_FOYER_HOST')
    .replace('Client,', 'Client, lobbyStream,')
    .replace('tokenStore', `${stream} tokenStore`)
  project.write('client.ts', client)
  project.write('main.js', MAIN)
  project.write('vite.config.js', VUE_CONFIG)
  project.write('index.html', page(''))
  return project
}

test.each(Object.entries(STREAMS))(
  'the lobby browser of the page %s keeps the room in each reload, until the player leaves it',
  async (_, stream) => {
    await useEmulator()
    const { tab, complaints } = await open(await serveExample(createLobbyBrowser(stream).root))
    await approve(await popupAfter(tab, 'button'))
    await tab.getByText('New room').click()
    const room = tab.getByRole('heading', { name: 'Moon with' })
    const announced = tab.getByText('Moon by ada')
    await room.waitFor()
    await announced.waitFor()
    // The fifth would exceed the joins of a minute.
    for (let reloads = 0; reloads < 4; reloads++) {
      await tab.reload()
      await room.waitFor()
      await announced.waitFor()
    }
    expect(await tab.getByRole('alert').count()).toBe(0)
    await tab.getByText('Leave').click()
    await room.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  },
)

test('the code in the page on frameworks is what is tested here', () => {
  for (const section of ['Vue', 'Svelte'])
    expect(documented(section).split('\n').filter(Boolean).length).toBeLessThan(22)
  expect(documented('Vue')).toContain("from 'vue'")
  expect(documented('Svelte')).toContain("from 'svelte'")
})
