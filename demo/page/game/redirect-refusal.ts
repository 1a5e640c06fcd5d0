/** Advice for a redirect URI that is not registered: which ones are, or where to register it. */
import { FoyerError } from 'foyer-sdk'
import { isRedirectRefused } from './advice-for'
import type { Exchange } from '../exchange/exchange'
import type { ServiceSettings } from './service-settings'
import type { Preset } from './preset'

export interface RedirectRefusal {
  /** Redirect URI that was sent. */
  sent: string
  /** Those of the application; undefined at a service that does not tell. */
  registered?: readonly string[] | undefined
  /** Host of the service. */
  host: string
  /** False if the service has not said that the redirect URI is the reason. */
  isCertain: boolean
}

/** Codes of a sign-in that got no callback: the service may have shown the reason to the player only. */
const SILENT = new Set(['window_closed', 'timed_out', 'aborted', 'callback_unavailable'])

interface Asked {
  exchanges: readonly Exchange[]
  preset: Preset | null
  service: ServiceSettings
}

/** Returns undefined for an error with another reason. */
export function findRedirectRefusal(error: unknown, { exchanges, preset, service }: Asked): RedirectRefusal | undefined {
  const hosted = preset !== null && (service.kind === 'emulator' || service.host?.replace(/\/$/, '') === preset.host)
  const isSilent = error instanceof FoyerError && SILENT.has(error.code)
  if (!isRedirectRefused(error) && !isSilent) return undefined
  const asked = exchanges.findLast(({ kind, sender }) => kind === 'authorize' && sender === undefined)
  const sent = asked?.query.find(({ name }) => name === 'redirect_uri')?.value
  if (sent === undefined) return undefined
  const registered = hosted ? preset.redirectUris : undefined
  if (registered && isSilent && isRegistered(sent, registered)) return undefined
  return { sent, registered, host: new URL(asked?.url ?? sent).host, isCertain: registered !== undefined || !isSilent }
}

/** Compared character by character, but for the port of an address of this machine. */
function isRegistered(sent: string, registered: readonly string[]): boolean {
  return registered.some((one) => withoutPort(one) === withoutPort(sent))
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost)):\d+/, '$1')
}
