/** Serves the scripts and style sheets of the pages, unbundled. */
import type { Context } from 'hono'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { style } from './style-sheet.js'
import { notFound } from '../api/api-error.js'

const folder = new URL('../../page/', import.meta.url)
const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export async function pageFile(c: Context, name: string): Promise<Response> {
  const type = types[/^[a-z-]+\.(js|css)$/.exec(name)?.[1] ?? '']
  const body = type === undefined ? undefined : await read(name)
  if (type === undefined || body === undefined) return notFound(c)
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }
  return c.body(body, 200, headers)
}

async function read(name: string): Promise<string | undefined> {
  if (name === 'pages.css') return style
  const file = name === 'preact.js' ? libraryFile() : new URL(name, folder)
  return readFile(file, 'utf8').catch(() => undefined)
}

/** Preact and htm in one file, usable without a bundler. */
function libraryFile(): URL {
  const entry = createRequire(import.meta.url).resolve('htm')
  return new URL('../preact/standalone.module.js', pathToFileURL(entry))
}
