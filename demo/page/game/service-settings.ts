/** Which service the page talks to, as it was typed in, and the client made from it. */
import { Client, type ClientOptions, FoyerError, type ServiceOptions } from 'foyer-sdk'
import { keep, readKept } from '../kept'
import type { Preset } from './preset'

/** What of a service may be typed in. Only `host` has no default. */
export const SERVICE_FIELDS = ['host', 'applicationId', 'redirectUri', 'baseUrl', 'authorizeUrl', 'tokenUrl', 'keysUrl', 'issuer'] as const
export type ServiceField = (typeof SERVICE_FIELDS)[number]

export type ServiceSettings = { kind: 'emulator' | 'custom' } & Partial<Record<ServiceField, string>>

/** A client, or why there is none. */
export type Connection = { client: Client; options: ClientOptions; error?: undefined } | { error: FoyerError; client?: undefined }

/** What the page's own client has besides: where its session is kept, whose it is, and what the hour is. */
export type Keeping = Pick<ClientOptions, 'tokenStore' | 'profile' | 'clock'>

export function rememberedService(preset: Preset | null): ServiceSettings {
  const { kind, ...fields } = readKept('service')
  return { ...fields, kind: kind === 'custom' || !preset ? 'custom' : 'emulator' }
}

export function rememberService(settings: ServiceSettings): void {
  keep('service', settings)
}

/** The options of `new Client(…)`; what was left empty is left out. */
export function clientOptions(settings: ServiceSettings, preset: Preset | null): ClientOptions {
  if (settings.kind === 'emulator' && preset) return { applicationId: preset.applicationId, service: { host: preset.host } }
  const { applicationId, redirectUri, host = '', baseUrl, authorizeUrl, tokenUrl, keysUrl, issuer } = settings
  const service: ServiceOptions = {
    host,
    ...(baseUrl && { baseUrl }),
    ...(authorizeUrl && { authorizeUrl }),
    ...(tokenUrl && { tokenUrl }),
    ...(keysUrl && { keysUrl }),
    ...(issuer && { issuer }),
  }
  return { service, ...(applicationId && { applicationId }), ...(redirectUri && { redirectUri }) }
}

export function connect(options: ClientOptions, keeping: Keeping = {}): Connection {
  try {
    return { client: new Client({ ...options, ...keeping }), options }
  } catch (error) {
    if (error instanceof FoyerError) return { error }
    throw error
  }
}
