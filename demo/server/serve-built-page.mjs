/** Builds the demo page and serves it, as any static server could. */
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'

/** @import { LoadLoopback, LoadSdk } from './server-types' */

const CONFIG = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
const LOOPBACK = fileURLToPath(new URL('../../src/desktop/main/loopback-server.ts', import.meta.url))
const SERVER_SDK = fileURLToPath(new URL('../../src/server/index.ts', import.meta.url))

/**
 * Builds the page into a folder.
 *
 * @param {string} outDir
 */
export async function buildPage(outDir) {
  const { build } = await import('vite')
  await build({ configFile: CONFIG, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
}

/**
 * Returns a Node listener for the files of a folder. An unknown path is the page itself.
 *
 * @param {string} folder
 */
export function serveFolder(folder) {
  return sirv(folder, { dev: true, single: true })
}

/**
 * Imports `foyer-sdk/server` from its sources.
 *
 * @type {LoadSdk}
 */
export function loadServerSdk() {
  return importSource(SERVER_SDK)
}

/**
 * Imports the loopback listener of `foyer-sdk/electron/main`, which itself runs in Electron alone.
 *
 * @type {LoadLoopback}
 */
export function loadLoopback() {
  return importSource(LOOPBACK)
}

/**
 * @template Module
 * @param {string} path
 * @returns {Promise<Module>}
 */
async function importSource(path) {
  const { runnerImport } = await import('vite')
  const { module } = await /** @type {typeof runnerImport<Module>} */ (runnerImport)(path, {
    configFile: false,
    logLevel: 'warn',
  })
  return module
}
