/** Serves the scripts and style sheets of the pages: the bundles that `vite.config.ts` makes of `src/browser`, and the files of `page`. */
import type { Context } from 'hono'
import { readFile } from 'node:fs/promises'
import { notFound } from '../api/api-error.js'

const folders = { js: new URL('../../dist/browser/', import.meta.url), css: new URL('../../page/', import.meta.url) }
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export async function pageFile(c: Context, name: string): Promise<Response> {
  const kind = /^[a-z-]+\.(?:js|css)$/.test(name) ? (name.endsWith('.js') ? 'js' : 'css') : undefined
  const body = kind === undefined ? undefined : await readFile(new URL(name, folders[kind]), 'utf8').catch(() => undefined)
  if (kind === undefined || body === undefined) return notFound(c)
  const headers = { 'Content-Type': TYPES[kind], 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }
  return c.body(body, 200, headers)
}
