/** Client methods whose code is loaded with their first call. */
import { memoizedImport } from '../foundation/memoized-import'
import type { ClientContext } from './shared-client-state'
import { ClientEmitter } from './create-emitter'
import type { AccountMethods } from './methods/device-and-account-methods'
import type { ActivityMethods } from './methods/activity-methods'
import type { AuthorizationMethods } from './methods/callback-and-code-methods'
import type { BackendMethods } from './methods/backend'
import type { LobbyMethods } from './methods/lobby-methods'
import type { TokenMethods } from './methods/revoke-update-redeem-tokens'
import type { UserMethods } from './methods/current-user-methods'
import type { SessionMethods } from './session-module-types'

/** All lazily loaded methods. */
export interface LazyMethods
  extends AccountMethods, ActivityMethods, AuthorizationMethods, BackendMethods, LobbyMethods, SessionMethods, TokenMethods, UserMethods {}

/** Methods as function properties: the compiler compares their parameters strictly, those of methods bivariantly. */
type Functions<Methods extends object> = {
  [Method in keyof Methods]: Methods[Method] extends (...args: infer Args) => infer Result ? (...args: Args) => Result : never
}

/** Lazy modules by name. */
export interface LazyModules {
  accounts: Functions<AccountMethods>
  activity: Functions<ActivityMethods>
  authorization: Functions<AuthorizationMethods>
  backend: Functions<BackendMethods>
  lobbies: Functions<LobbyMethods>
  sessions: Functions<SessionMethods>
  tokens: Functions<TokenMethods>
  user: Functions<UserMethods>
}

/** Loads each module once. After a failed load, the next call tries again. */
export type LazyModuleLoaders = { readonly [Name in keyof LazyModules]: () => Promise<LazyModules[Name]> }

export function createLazyModuleLoaders(context: ClientContext): LazyModuleLoaders {
  return {
    accounts: memoizedImport(async () => (await import('./methods/device-and-account-methods')).createAccountMethods(context)),
    activity: memoizedImport(async () => (await import('./methods/activity-methods')).createActivityMethods(context)),
    authorization: memoizedImport(async () => (await import('./methods/callback-and-code-methods')).createAuthorizationMethods(context)),
    backend: memoizedImport(async () => (await import('./methods/backend')).createBackendMethods(context)),
    lobbies: memoizedImport(async () => (await besidePage(context, import('./methods/lobby-methods'))).createLobbyMethods(context)),
    sessions: () => context.sessions(),
    tokens: memoizedImport(async () => (await import('./methods/revoke-update-redeem-tokens')).createTokenMethods(context)),
    user: memoizedImport(async () => (await besidePage(context, import('./methods/current-user-methods'))).createUserMethods(context)),
  }
}

/** Fetches the page services at the same time: the first call of the module needs them next. */
function besidePage<Module>({ loadPage }: ClientContext, module: Promise<Module>): Promise<Module> {
  loadPage?.().catch(() => undefined)
  return module
}

/** The module of each method. */
const MODULES: Readonly<Record<keyof LazyMethods, keyof LazyModules>> = {
  handleCallback: 'authorization',
  getToken: 'authorization',
  resume: 'sessions',
  refreshToken: 'sessions',
  revokeToken: 'tokens',
  updateToken: 'tokens',
  connectActivity: 'activity',
  getActivityParticipants: 'activity',
  joinActivityLobby: 'activity',
  fetchCurrentUser: 'user',
  getUserGuilds: 'user',
  getGuildChannels: 'user',
  fetchBackend: 'backend',
  getTokenFromDevice: 'accounts',
  abortGetTokenFromDevice: 'accounts',
  getTokenFromDeviceProvisionalMerge: 'accounts',
  getTokenFromProvisionalMerge: 'accounts',
  getProvisionalToken: 'accounts',
  unmergeIntoProvisionalAccount: 'accounts',
  exchangeChildToken: 'accounts',
  createOrJoinLobby: 'lobbies',
  createOrJoinLobbyWithMetadata: 'lobbies',
  leaveLobby: 'lobbies',
  sendLobbyMessage: 'lobbies',
  getLobbyMessagesWithLimit: 'lobbies',
  linkChannelToLobby: 'lobbies',
  unlinkChannelFromLobby: 'lobbies',
  joinLinkedLobbyGuild: 'lobbies',
  watchLobby: 'lobbies',
  autoLeave: 'lobbies',
  clearRateLimitBlocks: 'lobbies',
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the loop below defines every method of the interface
export interface ClientWithLazyMethods extends LazyMethods {}

/** Delegates every call to its lazily loaded module. The module interfaces contain the documentation. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class ClientWithLazyMethods extends ClientEmitter {
  /** Loads a module. @throws ConfigurationError `closed`. */
  protected abstract loadModule<Name extends keyof LazyModules>(name: Name): Promise<LazyModules[Name]>

  static {
    for (const [method, module] of Object.entries(MODULES)) {
      const value = async function (this: ClientWithLazyMethods, ...args: unknown[]): Promise<unknown> {
        const methods: object = await this.loadModule(module)
        return Reflect.apply(Reflect.get(methods, method), methods, args)
      }
      Object.defineProperty(this.prototype, method, { value, configurable: true, writable: true })
    }
  }
}
