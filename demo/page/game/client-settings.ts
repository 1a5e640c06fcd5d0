/** Service settings as typed in, and the client created from them. */
import { Client, type ClientOptions, FoyerError, type ServiceOptions } from 'foyer-sdk'
import { saveSettings, readSettings } from '../foundation/saved-settings'
import { sendId, STAND_IN } from './any-application-id'
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

/** `saved`: id of the saved service that the fields belong to. `anyId`: an application id that the SDK refuses is sent all the same. */
export type ServiceSettings = { kind: 'emulator' | 'custom'; saved?: string; anyId?: 'yes' | 'no' } & Partial<Record<ServiceField, string>>

export interface Connected {
  client: Client
  options: ClientOptions
  /** Application id that the page sends in place of the client's. */
  sentId?: string | undefined
  error?: undefined
}

/** A client, or the error that prevents one. */
export type Connection = Connected | { error: FoyerError; client?: undefined; sentId?: undefined }

/** Options of the page's own client: session store, profile, clock and HTTP client. */
export type SessionOptions = Pick<ClientOptions, 'tokenStore' | 'profile' | 'clock' | 'fetch'>

export function loadService(preset: Preset | null): ServiceSettings {
  const { kind, anyId, ...fields } = readSettings('service')
  return { ...fields, kind: kind === 'custom' || !preset ? 'custom' : 'emulator', anyId: anyId === 'yes' ? 'yes' : 'no' }
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

export interface Connecting extends SessionOptions {
  /** See `Connected`. */
  sentId?: string | undefined
}

export function connect(options: ClientOptions, { sentId, ...keeping }: Connecting = {}): Connection {
  const own = sentId === undefined ? {} : { applicationId: STAND_IN, ...(keeping.fetch && { fetch: sendId(keeping.fetch, sentId) }) }
  try {
    return { client: new Client({ ...options, ...keeping, ...own }), options, sentId }
  } catch (error) {
    if (error instanceof FoyerError) return { error }
    throw error
  }
}
