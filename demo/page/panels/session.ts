/** Who is signed in, and with what. */
import type { Session } from 'foyer-sdk'
import type { DemoContext, Mount } from '../context'
import { type Child, h } from '../ui/dom'
import { expiryRing } from '../ui/expiry-ring'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'
import { playerFace, playerName } from '../ui/player'
import { secretField } from '../ui/secret-field'
import { experiments } from './session-experiments'
import { idTokenTables } from './session-id-token'

export const mountSession: Mount = (element, context) => {
  const { body } = panel(element, 'Session')
  let ring: ReturnType<typeof expiryRing> | undefined
  context.signIn.session.watch((session) => {
    ring?.stop()
    ring = session ? expiryRing(session.tokens) : undefined
    body.replaceChildren(...(session && ring ? filled(session, context, ring.element) : [emptyState()]))
  })
}

function emptyState(): HTMLElement {
  return h('p', { class: 'empty' }, ['Nobody is signed in. The player, their scopes and their tokens will stand here.'])
}

function filled(session: Session, context: DemoContext, ring: HTMLElement): Node[] {
  const { accessToken, refreshToken } = session.tokens
  return [
    h('div', { class: 'player' }, [
      playerFace(session),
      h('div', { class: 'player-words' }, [
        h('p', { class: 'player-name' }, [playerName(session)]),
        h('p', { class: 'hint' }, ['Player ', h('code', {}, [session.userId])]),
      ]),
      h('button', { type: 'button', class: 'secondary', onclick: () => void context.signIn.signOut() }, ['Sign out']),
    ]),
    ring,
    scopes(session),
    h('div', { class: 'tokens' }, [
      secretField('Access token', accessToken),
      ...(refreshToken ? [secretField('Refresh token', refreshToken)] : []),
    ]),
    idTokenTables(session.tokens),
    experiments(context),
  ]
}

function scopes({ grantedScopes, missingScopes }: Session): HTMLElement {
  return h('section', { class: 'scopes', 'aria-label': 'Scopes' }, [
    h('h3', {}, [`${grantedScopes.length} scopes granted`, missingScopes.length > 0 && `, ${missingScopes.length} missing`]),
    h('ul', {}, [
      ...grantedScopes.map((scope) => scopeItem(scope, 'granted')),
      ...missingScopes.map((scope) => scopeItem(scope, 'missing')),
    ]),
  ])
}

function scopeItem(scope: string, kind: 'granted' | 'missing'): HTMLElement {
  const words: Child[] = [icon(kind === 'granted' ? 'check' : 'cross'), scope]
  return h('li', { class: `scope scope-${kind}` }, [
    ...words,
    kind === 'missing' && h('span', { class: 'visually-hidden' }, [' (not granted)']),
  ])
}
