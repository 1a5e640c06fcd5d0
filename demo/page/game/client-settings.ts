/** Service settings as typed in, and the client created from them. */
import { Client, type ClientOptions, FoyerError, type ServiceOptions } from 'foyer-sdk'
import { saveSettings, readSettings } from '../foundation/saved-settings'
import type { Preset } from './preset'

/** Fields of a service that can be typed in. Only `host` has no default. */
export const SERVICE_FIELDS = [
  'host',
  'applicationId',
  'redirectUri',
  'baseUrl',
  'authorizeUrl',
  'tokenUrl',
  'keysUrl',
  'revokeUrl',
  'deviceUrl',
  'issuer',
] as const
export type ServiceField = (typeof SERVICE_FIELDS)[number]

/** `saved`: id of the saved service that the fields belong to. */
export type ServiceSettings = { kind: 'emulator' | 'custom'; saved?: string } & Partial<Record<ServiceField, string>>

/** A client, or the error that prevents one. */
export type Connection = { client: Client; options: ClientOptions; error?: undefined } | { error: FoyerError; client?: undefined }

/** Options of the page's own client: session store, profile, clock and HTTP client. */
export type SessionOptions = Pick<ClientOptions, 'tokenStore' | 'profile' | 'clock' | 'fetch'>

export function loadService(preset: Preset | null): ServiceSettings {
  const { kind, ...fields } = readSettings('service')
  return { ...fields, kind: kind === 'custom' || !preset ? 'custom' : 'emulator' }
}

export function saveService(settings: ServiceSettings): void {
  saveSettings('service', settings)
}

/** Converts the settings to options of `new Client(…)`; empty fields are left out. */
export function clientOptions(settings: ServiceSettings, preset: Preset | null): ClientOptions {
  if (settings.kind === 'emulator' && preset) return { applicationId: preset.applicationId, service: { host: preset.host } }
  const { applicationId, redirectUri, host = '', ...addresses } = settings
  const { baseUrl, authorizeUrl, tokenUrl, keysUrl, revokeUrl, deviceUrl, issuer } = addresses
  const service: ServiceOptions = {
    host,
    ...(baseUrl && { baseUrl }),
    ...(authorizeUrl && { authorizeUrl }),
    ...(tokenUrl && { tokenUrl }),
    ...(keysUrl && { keysUrl }),
    ...(revokeUrl && { revokeUrl }),
    ...(deviceUrl && { deviceUrl }),
    ...(issuer && { issuer }),
  }
  return { service, ...(applicationId && { applicationId }), ...(redirectUri && { redirectUri }) }
}

export function connect(options: ClientOptions, keeping: SessionOptions = {}): Connection {
  try {
    return { client: new Client({ ...options, ...keeping }), options }
  } catch (error) {
    if (error instanceof FoyerError) return { error }
    throw error
  }
}
