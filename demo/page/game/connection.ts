/** The client of the page, created from the service settings, or the error that prevents one. */
import { Client, type ClientOptions, FoyerError, type ServiceOptions } from 'foyer-sdk'
import type { Preset } from './preset'
import type { ServiceSettings } from './service-settings'

type Fetch = NonNullable<ClientOptions['fetch']>

/** Id that the SDK gets in place of one that it refuses for its format. The page sends the id that was typed in. */
export const STAND_IN = '1'

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
type SessionOptions = Pick<ClientOptions, 'tokenStore' | 'profile' | 'clock' | 'fetch'>

/** Converts the settings to options of `new Client(…)`; empty fields are left out. */
export function clientOptions(settings: ServiceSettings, preset: Preset | null): ClientOptions {
  if (settings.kind === 'emulator' && preset)
    return { applicationId: preset.applicationId, service: { host: preset.host } }
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
  const own =
    sentId === undefined
      ? {}
      : { applicationId: STAND_IN, ...(keeping.fetch && { fetch: sendId(keeping.fetch, sentId) }) }
  try {
    return { client: new Client({ ...options, ...keeping, ...own }), options, sentId }
  } catch (error) {
    if (error instanceof FoyerError) return { error }
    throw error
  }
}

/** Puts the id into the forms that the SDK sends. */
function sendId(send: Fetch, id: string): Fetch {
  return (input, init) => {
    const { body } = init
    if (typeof body !== 'string' || !body.includes(`client_id=${STAND_IN}`)) return send(input, init)
    const form = new URLSearchParams(body)
    if (form.get('client_id') === STAND_IN) form.set('client_id', id)
    return send(input, { ...init, body: form.toString() })
  }
}
