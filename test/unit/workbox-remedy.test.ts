// @vitest-environment happy-dom
/** The setting for Workbox in the manual, run with Workbox: it compares path and query. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NavigationRoute } from 'workbox-routing'

const ADDRESSES: [string, boolean][] = [
  ['/callback.html', true],
  ['/callback.html?code=x&state=y', true],
  ['/play/callback.html?error=access_denied&state=y', true],
  ['/callback?code=x&state=y', true],
  ['/', false],
  ['/lobby/callback-list?page=2', false],
  ['/how-to?topic=/callback.html', false],
]

/** Returns the list as it stands in a page of the manual. */
function documented(file: string): RegExp[] {
  const [, source = '', flags = ''] =
    /navigateFallbackDenylist: \[\/(.+)\/([a-z]*)\]/.exec(readFileSync(file, 'utf8')) ?? []
  return [new RegExp(source, flags)]
}

it.each(['docs/errors.md', 'docs/shipping.md'])(
  'the list in %s keeps Workbox away from the callback page and from nothing else',
  (file) => {
    const route = new NavigationRoute(async () => new Response(''), { denylist: documented(file) })
    const isExcluded = (address: string) => {
      const url = new URL(address, 'https://game.test')
      const request = { mode: 'navigate' } as Request
      return !route.match({ url, request, sameOrigin: true, event: new Event('fetch') as never })
    }
    expect(ADDRESSES.map(([address]) => [address, isExcluded(address)])).toEqual(ADDRESSES)
  },
)
