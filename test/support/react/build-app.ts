/** Builds the React app with one version of React, for the page and for the server. */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type InlineConfig } from 'vite'
import type * as ServerModule from './server'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PACKAGES = { 18: 'test/support/react-18/node_modules', 19: 'node_modules' }

export type ReactVersion = keyof typeof PACKAGES

export interface BuiltApp {
  /** Script of the page. */
  script: string
  server: typeof ServerModule
}

/** `react` and `react-dom` come from the packages of this version; `foyer-sdk` is the built package. */
export async function buildApp(version: ReactVersion): Promise<BuiltApp> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const outDir = mkdtempSync(join(ROOT, '.cache', `react-${version}-`))
  const folder = join(ROOT, PACKAGES[version])
  const alias = [
    { find: /^(react|react-dom)(?=$|\/)/, replacement: `${folder}/$1` },
    { find: /^foyer-sdk\/react$/, replacement: join(ROOT, 'dist/tools/react/index.js') },
    { find: /^foyer-sdk$/, replacement: join(ROOT, 'dist/index.js') },
  ]
  const common = (name: string): InlineConfig => ({
    root: join(ROOT, 'test/support/react'),
    configFile: false,
    logLevel: 'warn',
    resolve: { alias },
    // The development build of React: its StrictMode mounts twice, and it warns.
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      outDir: join(outDir, name),
      minify: false,
      rolldownOptions: { input: `${name}.ts`, output: { entryFileNames: `${name}.mjs` } },
    },
  })
  const page = common('page')
  await build({
    ...page,
    build: {
      ...page.build,
      rolldownOptions: {
        ...page.build?.rolldownOptions,
        output: { entryFileNames: 'page.mjs', codeSplitting: false },
      },
    },
  })
  await build({
    ...common('server'),
    ssr: { noExternal: true },
    build: { ...common('server').build, ssr: true },
  })
  const server = (await import(
    /* @vite-ignore */ pathToFileURL(join(outDir, 'server/server.mjs')).href
  )) as typeof ServerModule
  return { script: readFileSync(join(outDir, 'page/page.mjs'), 'utf8'), server }
}
