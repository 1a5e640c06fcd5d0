/** Surface of one sign-in: recorded, changed as the tester wishes, and with its callback captured. */
import type { AuthorizationSurface } from 'foyer-sdk'
import type { ExchangeRecorder } from '../exchanges/exchange-recorder'
import type { ArgumentsForm } from './arguments-form'
import type { Connected } from './connection'
import { changeUrl, readChanges, type RequestChange } from './request-changes'
import { toSurface, type EnteredCallback } from './to-surface'

/** A surface, and what was changed and captured. */
interface PreparedSurface {
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
export function allChanges(
  form: ArgumentsForm,
  { sentId }: Pick<Connected, 'sentId'>,
): readonly RequestChange[] {
  return [...(sentId === undefined ? [] : [{ name: 'client_id', value: sentId }]), ...readChanges(form)]
}

function record(
  surface: AuthorizationSurface,
  exchanges: ExchangeRecorder,
): Pick<PreparedSurface, 'surface' | 'captured'> {
  const captured: { url?: string } = {}
  const recorded = exchanges.recordSurface(surface)
  const open: AuthorizationSurface['open'] = async (url, options) =>
    (captured.url = await recorded.open(url, options))
  return { surface: { ...recorded, open }, captured }
}

/** Wraps the surface. The SDK does not know of the changes: its checks are those of an unchanged request. */
function changeRequest(
  surface: AuthorizationSurface,
  changes: readonly RequestChange[],
): AuthorizationSurface {
  return changes.length === 0
    ? surface
    : { ...surface, open: (url, options) => surface.open(changeUrl(url, changes), options) }
}

/** Window of a failed sign-in, which shows why the service refused it. */
export class LeftWindow {
  #open: AbortController | undefined

  /** Wraps the surface, so that its window closes with a callback, when the tester cancels, or with the next sign-in. */
  leave(surface: AuthorizationSurface, cancelled: AbortSignal): AuthorizationSurface {
    const ended = new AbortController()
    cancelled.addEventListener('abort', () => ended.abort())
    this.#open = ended
    return {
      ...surface,
      open: async (url, options) => {
        const callback = await surface.open(url, { ...options, signal: ended.signal })
        ended.abort()
        return callback
      },
    }
  }

  /** True while a failed sign-in has left its window. */
  get isOpen(): boolean {
    return this.#open?.signal.aborted === false
  }

  close(): void {
    this.#open?.abort()
    this.#open = undefined
  }
}
