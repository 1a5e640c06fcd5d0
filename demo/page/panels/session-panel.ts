/** Panel of the signed-in player and the tokens. */
import type { DemoContext, Mount } from '../panel-context'
import type { Player } from '../game/run-sign-in'
import { type Child, h } from '../ui/create-element'
import { expiryRing } from '../ui/expiry-ring'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'
import { playerFace, playerName } from '../ui/player-name-and-avatar'
import { secretField } from '../ui/masked-token'
import { experiments } from './callback-reuse-buttons'
import { idTokenTables } from './id-token-claims-table'

export const mountSession: Mount = (element, context) => {
  const { body } = panel(element, 'Session')
  let ring: ReturnType<typeof expiryRing> | undefined
  context.signIn.player.watch((player) => {
    ring?.stop()
    ring = player ? expiryRing(player.tokens, () => context.sessionLog.now()) : undefined
    body.replaceChildren(...(player && ring ? filled(player, context, ring.element) : [emptyState()]))
  })
}

function emptyState(): HTMLElement {
  return h('p', { class: 'empty' }, ['Nobody is signed in. The player, scopes and tokens appear here after a sign-in.'])
}

function filled(player: Player, context: DemoContext, ring: HTMLElement): HTMLElement[] {
  const { accessToken, refreshToken } = player.tokens
  const parts = [
    h('div', { class: 'player' }, [
      playerFace(player),
      h('div', { class: 'player-words' }, [
        h('p', { class: 'player-name' }, [playerName(player)]),
        h('p', { class: 'hint' }, ['Player ', h('code', {}, [player.userId])]),
      ]),
      h('button', { type: 'button', class: 'secondary', onclick: () => void context.signIn.signOut() }, ['Sign out']),
    ]),
    !player.held && unheldNote(),
    ring,
    scopes(player),
    h('div', { class: 'tokens' }, [
      secretField('Access token', accessToken),
      ...(refreshToken ? [secretField('Refresh token', refreshToken)] : []),
    ]),
    idTokenTables(player.tokens, context.sessionLog.now()),
    experiments(context),
  ]
  return parts.filter((part) => part !== false)
}

function unheldNote(): HTMLElement {
  return h('p', { class: 'hint' }, [
    'Received from ',
    h('code', {}, ['getToken']),
    ' with your own PKCE pair: the client itself has no session.',
  ])
}

function scopes({ grantedScopes, missingScopes }: Player): HTMLElement {
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
