/** Decoded ID token: each claim with its value and meaning. */
import type { IdTokenClaims, TokenSet } from 'foyer-sdk'
import { claimLabel } from '../game/step-labels'
import { h } from '../ui/create-element'
import { exact, relative } from '../ui/format-time'

const INSTANTS = new Set(['exp', 'iat', 'auth_time', 'nbf', 'updated_at'])

/** Decodes the header for display only. The SDK has verified the claims. */
export function idTokenTables({ idToken, claims }: TokenSet, now: number): HTMLElement {
  if (!idToken || !claims) return h('p', { class: 'empty' }, ['The service sent no ID token.'])
  return h('details', { class: 'id-token', open: true }, [
    h('summary', {}, [h('h3', {}, ['ID token'])]),
    table('Claims', Object.entries<unknown>(claims satisfies IdTokenClaims), now),
    table('Header', decodeHeader(idToken.reveal()), now),
  ])
}

function decodeHeader(token: string): [string, unknown][] {
  try {
    const [head = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(head.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof header === 'object' && header !== null ? Object.entries(header) : []
  } catch {
    return []
  }
}

function table(caption: string, entries: readonly (readonly [string, unknown])[], now: number): HTMLElement {
  return h('table', {}, [
    h('caption', {}, [caption]),
    h('thead', { class: 'visually-hidden' }, [
      h('tr', {}, [h('th', { scope: 'col' }, ['Name']), h('th', { scope: 'col' }, ['Value']), h('th', { scope: 'col' }, ['Meaning'])]),
    ]),
    h(
      'tbody',
      {},
      entries.map((entry) => row(entry, now)),
    ),
  ])
}

function row([name, value]: readonly [string, unknown], now: number): HTMLElement {
  return h('tr', {}, [
    h('th', { scope: 'row' }, [h('code', {}, [name])]),
    h('td', { class: 'claim' }, [claimValue(name, value, now)]),
    h('td', { class: 'meaning' }, [claimLabel(name)]),
  ])
}

function claimValue(name: string, value: unknown, now: number): HTMLElement {
  if (INSTANTS.has(name) && typeof value === 'number') {
    const instant = value * 1000
    return h('time', { datetime: new Date(instant).toISOString() }, [`${relative(instant, now)}, ${exact(instant)}`])
  }
  return h('code', {}, [typeof value === 'string' ? value : JSON.stringify(value)])
}
