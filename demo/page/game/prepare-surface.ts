/** Surface of one sign-in: recorded, changed as the tester wishes, and with its callback captured. */
import type { AuthorizationSurface } from 'foyer-sdk'
import type { ExchangeRecorder } from '../exchange/exchange-recorder'
import type { ArgumentsForm } from './arguments-form'
import { changeRequest, type LeftWindow } from './change-request'
import type { Connected } from './connection'
import type { EnteredCallback } from './entered-callback'
import { readChanges, type RequestChange } from './request-changes'
import { toSurface } from './to-surface'

export interface PreparedSurface {
  surface: AuthorizationSurface
  /** Changes that the tester made to the request. */
  changes: readonly RequestChange[]
  /** True if the callback may have to be entered by hand. */
  isEntered: boolean
  /** URL of the callback, once it has arrived. */
  captured: { url?: string }
}

interface Parts {
  exchanges: ExchangeRecorder
  entered: EnteredCallback
  window: LeftWindow
  /** Aborts when the tester cancels. */
  cancelled: AbortSignal
}

export function prepareSurface(form: ArgumentsForm, connection: Connected, parts: Parts): PreparedSurface {
  const { mode, customSchemeParam, redirectUri, staysOpen } = form
  const chosen = toSurface(form, connection.options, parts.entered)
  const shown = staysOpen && mode === 'popup' ? parts.window.leave(chosen, parts.cancelled) : chosen
  const isElsewhere = redirectUri !== '' && mode !== 'redirect'
  const isEntered = customSchemeParam !== '' || mode === 'scheme' || mode === 'paste' || isElsewhere
  const changes = allChanges(form, connection)
  const recorded = record(shown, parts.exchanges)
  return { ...recorded, surface: changeRequest(recorded.surface, changes), changes, isEntered }
}

/** Surface that approves by itself. Its request is the one of the SDK. */
export function prepareEmulator(surface: AuthorizationSurface, exchanges: ExchangeRecorder): PreparedSurface {
  return { ...record(surface, exchanges), changes: [], isEntered: false }
}

/** Changes of the form, after that of an application id which the SDK does not take. */
export function allChanges(form: ArgumentsForm, { sentId }: Pick<Connected, 'sentId'>): readonly RequestChange[] {
  return [...(sentId === undefined ? [] : [{ name: 'client_id', value: sentId }]), ...readChanges(form)]
}

function record(surface: AuthorizationSurface, exchanges: ExchangeRecorder): Pick<PreparedSurface, 'surface' | 'captured'> {
  const captured: { url?: string } = {}
  const recorded = exchanges.recordSurface(surface)
  const open: AuthorizationSurface['open'] = async (url, options) => (captured.url = await recorded.open(url, options))
  return { surface: { ...recorded, open }, captured }
}
