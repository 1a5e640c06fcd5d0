/** Arguments of a sign-in, as form values and as the SDK's types. */
import { AuthorizationArgs, type AuthorizationCodeVerifier, Client, IntegrationType } from 'foyer-sdk'
import { saveSettings, readSettings } from '../foundation/saved-settings'

/** Ways to the consent page and back; the last three are those of installed games and other devices. */
const MODES = ['popup', 'redirect', 'loopback', 'scheme', 'paste'] as const
export type Mode = (typeof MODES)[number]
export type Install = 'unset' | 'guild' | 'user'

export interface ArgumentsForm {
  clientId: string
  scopes: string
  state: string
  nonce: string
  /** PKCE pair made by the game; if unset, the client makes one. */
  ownPair?: AuthorizationCodeVerifier | undefined
  install: Install
  customSchemeParam: string
  mode: Mode
  /** Seconds. */
  timeout: string
  /** Redirect URI in place of that of the mode; empty: that of the mode. */
  redirectUri: string
  prompt: string
  responseMode: string
  /** Lines that change the authorize URL, see `readChanges`. */
  extra: string
  /** The popup of a sign-in that fails stays open. */
  staysOpen: boolean
}

/** Changes that make a request wrong on purpose. They end with the page. */
const UNCHANGED = { redirectUri: '', prompt: '', responseMode: '', extra: '', staysOpen: false }

const INSTALL = { unset: undefined, guild: IntegrationType.GuildInstall, user: IntegrationType.UserInstall }

export function loadArguments(): ArgumentsForm {
  const { scopes, install, mode, timeout } = readSettings('arguments')
  return {
    clientId: '',
    scopes: scopes ?? Client.getDefaultCommunicationScopes(),
    state: '',
    nonce: '',
    install: install === 'guild' || install === 'user' ? install : 'unset',
    customSchemeParam: '',
    mode: MODES.find((one) => one === mode) ?? 'popup',
    timeout: timeout ?? '300',
    ...UNCHANGED,
  }
}

/** Saves the arguments, without state, nonce and pair: they belong to one attempt. */
export function saveArguments({ scopes, install, mode, timeout }: ArgumentsForm): void {
  saveSettings('arguments', { scopes, install, mode, timeout })
}

/** Converts the form to arguments. Empty fields stay unset, so that the SDK's defaults apply. */
export function toArgs(form: ArgumentsForm): AuthorizationArgs {
  const args = new AuthorizationArgs({ scopes: form.scopes })
  const integrationType = INSTALL[form.install]
  if (form.clientId) args.setClientId(form.clientId)
  if (form.state) args.setState(form.state)
  if (form.nonce) args.setNonce(form.nonce)
  if (form.ownPair) args.setCodeChallenge(form.ownPair.challenge)
  if (integrationType !== undefined) args.setIntegrationType(integrationType)
  if (form.customSchemeParam) args.setCustomSchemeParam(form.customSchemeParam)
  return args
}

/** Parses the timeout, in ms; undefined for an unusable value, so that the SDK's default applies. */
export function toTimeout({ timeout }: ArgumentsForm): number | undefined {
  const seconds = Number(timeout)
  return timeout !== '' && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined
}
