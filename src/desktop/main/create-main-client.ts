/** Creates the client of a main process with Electron's services. */
import { app } from 'electron'
import { importPart } from '../../shared/foundation/async'
import { resolveOptions } from '../../client/context/client-options'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import { runCallback, createTyped } from '../../shared/foundation/options'
import type { DeepLinks } from './install-deep-links'
import { createMainAttemptStore } from './main-attempt-store'
import { MainClient, PendingInvitation } from './main-client'
import type { MainClientOptions } from './main-client-options'
import { createSystemBrowser, type CallbackMethod } from './system-browser'
import { createEncryptedTokenStore, tokenStoreFile } from './encrypted-token-store'
import { systemFetch } from './system-fetch'
import { requireRules } from './admission'
import { ownFields } from '../../shared/foundation/untrusted-values'

const CALLBACK_METHODS: readonly CallbackMethod[] = ['loopback', 'scheme', 'device']

/**
 * Creates the client of an Electron app, in the main process, before or after `ready`; call `installDeepLinks` before it. Games in a window
 * use it through `connectMainClient()` of `foyer-sdk` and the preload script `foyer-sdk/electron/preload`.
 *
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`, `unsupported`.
 * @example
 * ```ts
 * const client = createMainClient({
 *   applicationId: '1234567890123456789',
 *   service: { host: 'https://service.example' },
 *   scheme: installDeepLinks('mygame'),
 *   windows: [{ origin: 'app://game' }],
 * })
 * await client.resume()
 * ```
 */
export function createMainClient(given: MainClientOptions): MainClient {
  return createTyped('options', () => create(given))
}

function create(given: MainClientOptions): MainClient {
  const {
    scheme,
    windows = [],
    roads = CALLBACK_METHODS,
    tokenStore,
    allowWeakStorage: allowWeak = false,
    localProgram = false,
    ...options
  } = ownFields({ ...given })
  requireParts(scheme, roads)
  requireRules(windows)
  const log: Log = (level, step, data = {}) => {
    runCallback(() => options.logger?.({ level, step, data }))
    client.emit('log', { level, step, data })
  }
  const file = tokenStoreFile(options)
  const store = tokenStore ?? createEncryptedTokenStore({ file, allowWeak, log })
  const resolved = resolveOptions(
    { ...options, fetch: options.fetch ?? systemFetch, tokenStore: store },
    undefined,
    (state, owner) => attempts.take(state, owner),
  )
  // In a file of its own, so that an attempt never replaces a session that cannot be decrypted at the moment.
  const attemptStore = tokenStore ?? createEncryptedTokenStore({ file: `${file}-attempts`, allowWeak, log })
  const attempts = createMainAttemptStore(attemptStore, resolved.clock)
  const browser = createSystemBrowser({
    roads,
    scheme,
    attempts,
    log,
    clock: resolved.clock,
    authorizeUrl: resolved.service.authorizeUrl,
    onUnavailable: (url) => client.emit('browserUnavailable', { url }),
    onCallback: () => app.focus({ steal: true }),
  })
  const invitation = new PendingInvitation()
  const client = new MainClient(
    {
      ...resolved,
      ...linksOf(scheme, resolved.service.brand, invitation),
      loadSessions: async (base) => (await importPart(import('./main-sessions'))).openMainSessions(base),
      surface: resolved.surface ?? browser.surface,
    },
    { browser, roads, log, invitation, localProgram: localProgram ? 'on' : 'off' },
  )
  return client.open({ scheme, windows })
}

/** @throws ConfigurationError `invalid_argument`. */
function requireParts(scheme: DeepLinks | undefined, roads: unknown): void {
  if (scheme && typeof scheme.listen !== 'function')
    throw new ConfigurationError('invalid_argument', 'scheme', {
      remedy: "Pass what installDeepLinks('com.example.mygame') returns",
    })
  if (!Array.isArray(roads)) throw new ConfigurationError('invalid_argument', 'roads: a list')
}

function linksOf(scheme: DeepLinks | undefined, brand: string, invitation: PendingInvitation) {
  return {
    takeInvitation: () => invitation.take(),
    inviteAddress: scheme && `${scheme.scheme}:/_${brand}/join?secret=`,
  }
}
