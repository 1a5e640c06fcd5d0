/** Form with every argument of a sign-in, each with a one-line hint. */
import { Client } from 'foyer-sdk'
import { useEffect, useRef } from 'preact/hooks'
import { Choice, Field, type FieldOptions } from 'kit/field'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import type { Install, Mode } from '../../game/arguments-form'
import { issuesByField } from '../../game/explain'
import { previewRedirectUri } from '../../game/to-surface'
import { PairChoice } from './pair-choice'
import { WrongOnPurpose } from './wrong-on-purpose'

type TextName = 'redirectUri' | 'scopes' | 'timeout' | 'clientId' | 'state' | 'nonce' | 'customSchemeParam'
type FieldWords = Pick<FieldOptions, 'label' | 'hint'> & Partial<Pick<FieldOptions, 'placeholder' | 'type'>>

const WORDS: Record<TextName, FieldWords> = {
  scopes: { label: 'Scopes', hint: 'Separated by spaces. openid identifies the player.' },
  redirectUri: {
    label: 'Redirect URI',
    hint: 'Where the service sends the callback. Empty: a page of this demo.',
    type: 'url',
  },
  timeout: {
    label: 'Timeout',
    hint: 'Seconds until the game stops waiting for the player.',
    placeholder: '300',
    type: 'number',
  },
  clientId: {
    label: 'ClientId',
    hint: 'Application that requests access. Empty: the one in the service settings.',
    placeholder: 'as in the service settings',
  },
  state: {
    label: 'State',
    hint: 'Binds the callback to this attempt. Best left to the client.',
    placeholder: 'random at click',
  },
  nonce: {
    label: 'Nonce',
    hint: 'Comes back inside the ID token. Best left to the client.',
    placeholder: 'random at click',
  },
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

const INSTALLS = [
  { value: 'unset', label: 'not set' },
  { value: 'guild', label: 'guild' },
  { value: 'user', label: 'user' },
] as const

export function ArgumentsPanel() {
  const { connection } = useDemo()
  return (
    <Panel id="arguments" title="Arguments">
      <fieldset class="bare">
        <legend class="visually-hidden">Arguments of the sign-in</legend>
        <ArgumentField name="scopes" />
        <ScopePresets />
        <RedirectUri />
        <WrongOnPurpose />
        <MoreArguments />
        {/* An Activity has one mode: the host window. */}
        {!connection.value.client?.activity.launch && <ModeChoice />}
      </fieldset>
    </Panel>
  )
}

function ArgumentField({ name }: { name: TextName }) {
  const { form, preview } = useDemo()
  const fault = issuesByField(preview.value?.error)[name]
  const change = (value: string) => (form.value = { ...form.value, [name]: value })
  return (
    <Field id={`argument-${name}`} {...WORDS[name]} value={form.value[name]} fault={fault} onInput={change} />
  )
}

/** Offers the registered ones, if they are known, and shows the one that is sent while the field is empty. */
function RedirectUri() {
  const { form, connection, preset, faultControls } = useDemo()
  const registered = (faultControls() && preset?.redirectUris) || []
  const usual =
    connection.value.client &&
    previewRedirectUri({ ...form.value, redirectUri: '' }, connection.value.options).redirectUri?.()
  const placeholder = typeof usual === 'string' ? usual : ''
  const { label, hint } = WORDS.redirectUri
  return (
    <Field
      id="argument-redirectUri"
      {...{ label, hint, placeholder, type: 'url', suggestions: registered }}
      value={form.value.redirectUri}
      onInput={(redirectUri) => (form.value = { ...form.value, redirectUri })}
    />
  )
}

/** Opens by itself when a field inside has a fault. */
function MoreArguments() {
  const { preview } = useDemo()
  const details = useRef<HTMLDetailsElement>(null)
  const { error } = preview.value ?? {}
  useEffect(() => {
    if (details.current && Object.keys(issuesByField(error)).some((name) => name !== 'scopes'))
      details.current.open = true
  }, [error])
  return (
    <details class="more" ref={details}>
      <summary>State, nonce, PKCE pair and more</summary>
      <div class="grid">
        <ArgumentField name="state" />
        <ArgumentField name="nonce" />
        <ArgumentField name="timeout" />
        <ArgumentField name="clientId" />
        <ArgumentField name="customSchemeParam" />
      </div>
      <InstallChoice />
      <PairChoice />
    </details>
  )
}

function ScopePresets() {
  const { form } = useDemo()
  return (
    <div class="chips" role="group" aria-label="Scope presets">
      {PRESETS.map(({ label, scopes }) => (
        <button
          type="button"
          class="chip"
          key={label}
          aria-pressed={form.value.scopes === scopes()}
          onClick={() => (form.value = { ...form.value, scopes: scopes() })}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function InstallChoice() {
  const { form } = useDemo()
  return (
    <Choice<Install>
      name="install"
      legend="IntegrationType"
      hint="How the application is installed: in a guild, or for the player alone."
      value={form.value.install}
      choices={INSTALLS}
      onChange={(install) => (form.value = { ...form.value, install })}
    />
  )
}

const MODE_WORDS: Record<Mode, { label: string; hint: string }> = {
  popup: { label: 'in a popup', hint: '' },
  redirect: { label: 'in place of this page', hint: '' },
  loopback: {
    label: 'loopback port',
    hint: 'As an installed game: a tab of its own, and the callback goes to a port that the server of this page opens on 127.0.0.1.',
  },
  scheme: {
    label: 'custom scheme',
    hint: 'As an installed game: the system delivers the callback to the program of the scheme. No page can receive it, so you enter it.',
  },
  paste: {
    label: 'paste the callback',
    hint: 'Sign in with another browser or device, copy the address at which it ends, and paste it here. The SDK checks it like any callback.',
  },
}

const HINT_ID = 'mode-hint'

/** The loopback port needs the server that was started with the page. */
function ModeChoice() {
  const { form, preset } = useDemo()
  const { mode } = form.value
  const modes = (['popup', 'redirect', 'loopback', 'scheme', 'paste'] as const).filter(
    (one) => one !== 'loopback' || preset,
  )
  const choose = (chosen: Mode) => {
    form.value = { ...form.value, mode: chosen, ...(chosen === 'redirect' && { ownPair: undefined }) }
  }
  return (
    <Choice
      name="mode"
      legend="Open the consent page"
      value={mode}
      choices={modes.map((value) => ({ value, label: MODE_WORDS[value].label }))}
      describedBy={HINT_ID}
      onChange={choose}
    >
      <p class="hint mode-hint" id={HINT_ID} hidden={MODE_WORDS[mode].hint === ''}>
        {MODE_WORDS[mode].hint}
      </p>
    </Choice>
  )
}
