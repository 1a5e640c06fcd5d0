/** Serves the scripts and style sheets of the pages, unbundled: the compiled `src/browser`, and the files of `page`. */
import type { Context } from 'hono'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { notFound } from '../api/api-error.js'

const folders = { js: new URL('../../dist/browser/', import.meta.url), css: new URL('../../page/', import.meta.url) }
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export async function pageFile(c: Context, name: string): Promise<Response> {
  const kind = /^(?:[a-z-]+\/)*[a-z-]+\.(?:js|css)$/.test(name) ? (name.endsWith('.js') ? 'js' : 'css') : undefined
  const body = kind === undefined ? undefined : await read(name, kind)
  if (kind === undefined || body === undefined) return notFound(c)
  const headers = { 'Content-Type': TYPES[kind], 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }
  return c.body(body, 200, headers)
}

async function read(name: string, kind: keyof typeof folders): Promise<string | undefined> {
  const file = name === 'preact.js' ? libraryFile() : new URL(name, folders[kind])
  return readFile(file, 'utf8').catch(() => undefined)
}

/** Preact and htm in one file, usable without a bundler. */
function libraryFile(): URL {
  const entry = createRequire(import.meta.url).resolve('htm')
  return new URL('../preact/standalone.module.js', pathToFileURL(entry))
}
