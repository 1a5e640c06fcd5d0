/** Creates a client from options that came as JSON. */
import type { ClientOptions } from '../../client/context/client-options'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import type { EngineClient, EngineSdk } from './engine-types'

/** Names of the functions that create a token store. */
const STORE = /^(?:memory|sessionStorage|localStorage|indexedDb)Store$/

/**
 * Objects are named by strings: `tokenStore` by its function (`"indexedDbStore"`), `surface` by `"redirect"`, `lobbyUpdates` by the URL of
 * its stream.
 *
 * @throws The errors of `new Client`.
 */
export function createClient(sdk: EngineSdk, options: unknown): EngineClient {
  const given: Record<string, unknown> = isRecord(options) ? { ...options } : {}
  const { tokenStore, surface, lobbyUpdates } = given
  if (tokenStore !== undefined) given['tokenStore'] = createStore(sdk, tokenStore)
  if (surface !== undefined) given['surface'] = createSurface(sdk, surface)
  if (typeof lobbyUpdates === 'string') given['lobbyUpdates'] = sdk.lobbyStream(lobbyUpdates)
  if (!hasService(given)) throw new sdk.ConfigurationError('missing_service_host')
  return new sdk.Client(given)
}

/** The client validates everything else. */
const hasService = (options: object): options is ClientOptions =>
  'service' in options && isRecord(options.service)

/** @throws ConfigurationError `invalid_argument`. */
export function createSurface({ redirectSurface, ConfigurationError }: EngineSdk, name: unknown) {
  if (name !== 'redirect')
    throw new ConfigurationError('invalid_argument', 'surface', { remedy: 'The only name is "redirect"' })
  return redirectSurface()
}

function createStore(sdk: EngineSdk, name: unknown) {
  const create: unknown = isText(name, STORE)
    ? Object.entries(sdk).find(([key]) => key === name)?.[1]
    : undefined
  if (typeof create === 'function') return create()
  throw new sdk.ConfigurationError('invalid_argument', 'tokenStore', {
    remedy: 'Name a function, for example "indexedDbStore"',
  })
}
