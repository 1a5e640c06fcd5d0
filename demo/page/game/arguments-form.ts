/** The arguments of a sign-in as the form holds them, and as the SDK takes them. */
import {
  AuthorizationArgs,
  type AuthorizationCodeVerifier,
  type AuthorizationSurface,
  Client,
  type ClientOptions,
  IntegrationType,
  popupSurface,
  redirectSurface,
} from 'foyer-sdk'
import { keep, readKept } from '../kept'

export type Mode = 'popup' | 'redirect'
export type Install = 'unset' | 'guild' | 'user'

export interface ArgumentsForm {
  clientId: string
  scopes: string
  state: string
  nonce: string
  /** A pair of the game's own; without it the client makes one. */
  ownPair?: AuthorizationCodeVerifier | undefined
  install: Install
  customSchemeParam: string
  mode: Mode
  /** Seconds. */
  timeout: string
}

const INSTALL = { unset: undefined, guild: IntegrationType.GuildInstall, user: IntegrationType.UserInstall }

export function rememberedArguments(): ArgumentsForm {
  const { scopes, install, mode, timeout } = readKept('arguments')
  return {
    clientId: '',
    scopes: scopes ?? Client.getDefaultCommunicationScopes(),
    state: '',
    nonce: '',
    install: install === 'guild' || install === 'user' ? install : 'unset',
    customSchemeParam: '',
    mode: mode === 'redirect' ? mode : 'popup',
    timeout: timeout ?? '300',
  }
}

/** State, nonce and pair belong to one attempt: they are not kept. */
export function rememberArguments({ scopes, install, mode, timeout }: ArgumentsForm): void {
  keep('arguments', { scopes, install, mode, timeout })
}

/** What was left empty stays unset, so that the SDK's defaults apply. */
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

/** ms; undefined where nothing usable was typed, so that the SDK's default applies. */
export function toTimeout({ timeout }: ArgumentsForm): number | undefined {
  const seconds = Number(timeout)
  return timeout !== '' && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined
}

export function toSurface({ mode }: ArgumentsForm, { redirectUri }: ClientOptions): AuthorizationSurface {
  const options = redirectUri === undefined ? {} : { redirectUri }
  return mode === 'redirect' ? redirectSurface(options) : popupSurface(options)
}
