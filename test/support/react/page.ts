/** Page of the React app: hydrates what the server has rendered, or renders it. */
import { createElement as h, version } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, type AppConfig } from './app'

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root.')
const config = JSON.parse(document.querySelector('#config')?.textContent ?? '{}') as AppConfig
globalThis.renders = []
document.title = `React ${version}`
if (root.hasChildNodes()) hydrateRoot(root, h(App, config))
else createRoot(root).render(h(App, config))
