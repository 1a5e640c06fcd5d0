/** Form with every argument of a sign-in, each with a one-line hint. */
import { onChange } from '../on-change'
import { Client } from 'foyer-sdk'
import type { DemoContext, Mount } from '../panel-context'
import { issuesByField } from '../game/error-advice'
import type { ArgumentsForm, Install } from '../game/sign-in-arguments'
import { h } from '../ui/create-element'
import { choice, type FieldElement, field, type FieldOptions } from '../ui/input-field'
import { panel } from '../ui/panel'
import { SecretField } from '../ui/masked-token'
import { toElement } from '../ui/to-element'

type TextName = 'scopes' | 'timeout' | 'clientId' | 'state' | 'nonce' | 'customSchemeParam'
type FieldWords = Pick<FieldOptions, 'label' | 'hint'> & Partial<Pick<FieldOptions, 'placeholder' | 'type'>>

const WORDS: Record<TextName, FieldWords> = {
  scopes: { label: 'Scopes', hint: 'Permissions that the game requests, separated by spaces. openid identifies the player.' },
  timeout: { label: 'Timeout', hint: 'Seconds until the game stops waiting for the player.', placeholder: '300', type: 'number' },
  clientId: {
    label: 'ClientId',
    hint: 'Application that requests access. Empty: the one in the service settings.',
    placeholder: 'as in the service settings',
  },
  state: { label: 'State', hint: 'Binds the callback to this attempt. Best left to the client.', placeholder: 'random at click' },
  nonce: { label: 'Nonce', hint: 'Comes back inside the ID token. Best left to the client.', placeholder: 'random at click' },
  customSchemeParam: {
    label: 'CustomSchemeParam',
    hint: 'For installed games: mygame sends the callback to mygame:/authorize/callback.',
    placeholder: 'none: the callback goes to a page',
  },
}

const PRESETS = [
  { label: 'Communication', scopes: () => Client.getDefaultCommunicationScopes() },
  { label: 'Presence', scopes: () => Client.getDefaultPresenceScopes() },
  { label: 'Identity only', scopes: () => 'openid' },
]

export const mountArguments: Mount = (element, context) => {
  const { preview, signIn } = context
  const { body } = panel(element, 'Arguments', [
    'The fields of ',
    h('code', {}, ['AuthorizationArgs']),
    '. All but the scopes may stay empty.',
  ])
  const text = (name: TextName) => argumentField(name, context)
  const fields = {
    scopes: text('scopes'),
    timeout: text('timeout'),
    clientId: text('clientId'),
    state: text('state'),
    nonce: text('nonce'),
    customSchemeParam: text('customSchemeParam'),
  }
  const more = h('details', { class: 'more' }, [
    h('summary', {}, ['State, nonce, PKCE pair and more']),
    h('div', { class: 'grid' }, [fields.clientId.element, fields.customSchemeParam.element, fields.state.element, fields.nonce.element]),
    installChoice(context),
    pairChoice(context),
  ])
  const all = h('fieldset', { class: 'bare' }, [
    h('legend', { class: 'visually-hidden' }, ['Arguments of the sign-in']),
    fields.scopes.element,
    scopePresets(context, fields.scopes),
    fields.timeout.element,
    more,
  ])
  body.append(all)
  signIn.progress.subscribe(() => (all.disabled = signIn.busy))
  preview.subscribe((shown) => {
    const faults = issuesByField(shown?.error)
    for (const [name, one] of Object.entries(fields)) one.fault(faults[name])
    if (Object.keys(faults).some((name) => name !== 'scopes')) more.open = true
  })
}

function argumentField(name: TextName, { form }: DemoContext): FieldElement {
  return field(`argument-${name}`, {
    ...WORDS[name],
    value: form.value[name],
    onInput: (value) => (form.value = { ...form.value, [name]: value }),
  })
}

function scopePresets({ form }: DemoContext, { input }: FieldElement): HTMLElement {
  // A preset, or a saved service with scopes of its own.
  onChange(form, ({ scopes }) => {
    if (input.value.trim() !== scopes) input.value = scopes
  })
  const buttons = PRESETS.map(({ label, scopes }) => {
    const choose = () => {
      form.value = { ...form.value, scopes: scopes() }
    }
    const button = h('button', { type: 'button', class: 'chip', onclick: choose }, [label])
    form.subscribe((now) => button.setAttribute('aria-pressed', String(now.scopes === scopes())))
    return button
  })
  return h('div', { class: 'chips', role: 'group', 'aria-label': 'Scope presets' }, buttons)
}

function installChoice({ form }: DemoContext): HTMLElement {
  return choice<Install>('install', {
    legend: 'IntegrationType',
    hint: 'How the application is installed: in a guild, or for the player alone.',
    value: form.value.install,
    choices: [
      { value: 'unset', label: 'not set' },
      { value: 'guild', label: 'guild' },
      { value: 'user', label: 'user' },
    ],
    onChange: (install) => (form.value = { ...form.value, install }),
  })
}

/** Choice of the PKCE pair. A pair made by the page is in memory, which a redirect discards: it is offered for popups alone. */
function pairChoice(context: DemoContext): HTMLElement {
  const { form, signIn } = context
  const shown = h('div', { class: 'own-pair' })
  const pair = choice('pair', {
    legend: 'CodeChallenge',
    hint: 'The public half of a PKCE pair (S256). The verifier never leaves the game before the code is redeemed. Your own pair works with a popup only: a redirect empties this page’s memory.',
    value: 'client',
    choices: [
      { value: 'client', label: 'made by the client' },
      { value: 'own', label: 'my own pair' },
    ],
    onChange: (value) => (form.value = value === 'own' ? withPair(context) : { ...form.value, ownPair: undefined }),
  })
  form.subscribe(({ ownPair, mode }) => {
    shown.replaceChildren(
      ...(ownPair
        ? [
            h('p', {}, ['Challenge ', h('code', {}, [ownPair.challenge.challenge])]),
            toElement(SecretField, { name: 'Verifier', secret: ownPair.verifier }),
          ]
        : []),
    )
    for (const input of pair.querySelectorAll('input')) {
      input.disabled = mode === 'redirect' && input.value === 'own'
      input.checked = input.value === (ownPair ? 'own' : 'client')
    }
  })
  // A pair is valid for one attempt.
  onChange(signIn.progress, ({ phase }) => {
    if (form.value.ownPair && (phase === 'signed-in' || phase === 'failed')) form.value = withPair(context)
  })
  pair.append(shown)
  return pair
}

function withPair({ form, connection }: DemoContext): ArgumentsForm {
  return { ...form.value, ownPair: connection.value.client?.createAuthorizationCodeVerifier() }
}
