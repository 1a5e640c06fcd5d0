/** Requests of the control plane: every one is documented, what is documented exists, and a wrong body is refused. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHostileWorld } from './support/hostile-world'

let world: Awaited<ReturnType<typeof createHostileWorld>>
beforeAll(async () => {
  world = await createHostileWorld()
})
afterAll(() => world.close())

const ROOT = '/_emulator/'
const lines = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => readFileSync(`docs/${name}`, 'utf8').split('\n'))
  .filter((line) => line.includes(ROOT))

const plain = (path: string) => path.replace(/\?.*/, '').replaceAll(/<[^>]+>|\{[^}]+\}|:\w+/g, '{}')

/** `/join` after `POST /_emulator/activity/launch` is beside it, and `/restore` after `/_emulator/snapshots` is below it. */
function pathsOn(line: string): string[] {
  const spans = [...line.matchAll(/`(?:[A-Z]+,? )*(\/[^` ]+)[^`]*`/g)].map(([, path = '']) => plain(path))
  let last = ''
  return spans.flatMap((path) => {
    if (path.startsWith(ROOT)) last = path
    return path.startsWith(ROOT) ? [path] : [last.replace(/\/[^/]+$/, '') + path, last + path]
  })
}

const routes = () =>
  world.targets.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith(ROOT))
    .map(({ method, path }) => ({ method, path }))

describe('a request of the control plane', () => {
  it('is documented with its method', () => {
    const documented = lines.flatMap((line) => pathsOn(line).map((path) => ({ path, line })))
    const missing = routes().filter(
      ({ method, path }) =>
        !documented.some((each) => each.path === plain(path) && each.line.includes(method)),
    )
    expect(missing).toEqual([])
    expect(routes().length).toBeGreaterThan(40)
  })

  it('that is documented exists', () => {
    const paths = new Set(routes().map(({ path }) => plain(path)))
    const named = lines.flatMap((line) =>
      [...line.matchAll(/\/_emulator\/[\w/{}.<>]+/g)].map(([path]) => plain(path).replace(/\/$/, '')),
    )
    const isKnown = (path: string) => [...paths].some((each) => each === path || each.startsWith(`${path}/`))
    expect(named.filter((path) => !isKnown(path))).toEqual([])
  })

  it('refuses a body of another shape', async () => {
    const { url, controlToken } = world.emulator
    const accepted: string[] = []
    for (const { method, path } of routes().filter((route) => route.method !== 'GET'))
      for (const body of ['7.5', '"a text"', 'true', '{', 'null']) {
        const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' }
        const { status } = await fetch(url + path.replaceAll(/:\w+/g, '1'), { method, headers, body })
        if (status !== 400) accepted.push(`${method} ${path} ${body} ${status}`)
      }
    expect(accepted.filter((each) => !each.startsWith('POST /_emulator/reset '))).toEqual([])
  })
})
