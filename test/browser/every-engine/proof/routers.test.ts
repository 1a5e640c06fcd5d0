/** Routers read the address when they are created, before the response of a redirect is removed from it. In every engine. */
import { build } from 'esbuild'
import { expect } from 'vitest'
import { expectOutcome } from '../../../support/engines/engine-game'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveFiles } from '../../../support/engines/serve-files'

const ADA = 'signed in 175928847299117063'

/** Source of each game; `navigate` adds `tab=1` to the query as the router knows it. */
const ROUTERS = {
  'React Router': `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, useSearchParams } from 'react-router'
import { RouterProvider } from 'react-router/dom'
function Game() {
  const [, setSearchParams] = useSearchParams()
  return createElement('button', { id: 'navigate', onClick: () => setSearchParams((params) => (params.set('tab', '1'), params)) })
}
const router = createBrowserRouter([{ path: '/', element: createElement(Game) }])
createRoot(document.querySelector('#app')).render(createElement(RouterProvider, { router }))`,
  'Vue Router': `import { createApp, h } from 'vue'
import { createRouter, createWebHistory } from 'vue-router'
const Game = { render() { return h('button', { id: 'navigate', onClick: () => this.$router.push({ query: { ...this.$route.query, tab: '1' } }) }) } }
const router = createRouter({ history: createWebHistory(), routes: [{ path: '/', component: Game }] })
createApp({ render: () => h(Game) }).use(router).mount('#app')`,
  'a game that remembers its address': `const address = location.href
const button = document.createElement('button')
button.id = 'navigate'
button.onclick = () => history.pushState({ address }, '', address + (address.includes('?') ? '&' : '?') + 'tab=1')
document.querySelector('#app').append(button)`,
} as const

async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd() },
    bundle: true,
    format: 'iife',
    write: false,
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_OPTIONS_API__: 'true',
    },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

const pageOf = ({
  applicationId,
  host,
}: {
  applicationId: string
  host: string
}) => `<!doctype html><title>Game</title>
<link rel="icon" href="data:," /><div id="app"></div><button id="redirect">Redirect</button><output id="outcome"></output>
<script src="/dist/umd/index.umd.js"></script><script src="/router.js"></script><script>
const client = new Foyer.Client({ applicationId: '${applicationId}', service: { host: '${host}' }, tokenStore: Foyer.localStorageStore(), surface: Foyer.redirectSurface() })
document.querySelector('#redirect').onclick = () => client.signIn()
const show = (text) => { document.querySelector('#outcome').textContent = text }
client.resume().then((session) => show(session ? 'signed in ' + session.userId : 'nobody'), ({ code }) => show(code))
</script>`

inEveryEngine((engineTest) => {
  for (const [name, source] of Object.entries(ROUTERS)) {
    engineTest(
      `${name} writes no response back that a reload would meet, and the player stays signed in`,
      async (engine) => {
        const router = await bundled(source)
        const { url } = await serveFiles((game) => ({ '/': pageOf(game), '/router.js': router }))
        const page = await engine.open()
        await page.goto(url)
        await expectOutcome(page, 'nobody')
        await page.click('#redirect')
        await page.press('Ada')
        await page.press('Approve')
        await expectOutcome(page, ADA)
        expect(await page.url()).toBe(url)
        await page.click('#navigate')
        const isRouter = name.endsWith('Router')
        await expect.poll(() => page.url()).toContain('tab=1')
        if (isRouter) {
          expect(await page.url()).toBe(`${url}?tab=1`)
          expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain('code=')
        }
        await page.reload()
        await expectOutcome(page, ADA)
        await expect.poll(() => page.url()).toBe(`${url}?tab=1`)
      },
    )
  }
})
