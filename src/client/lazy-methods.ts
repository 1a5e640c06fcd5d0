/** Client methods whose code is loaded with their first call. */
import type { ActivityHost } from '../activity/activity-host'
import { loadOnce } from '../foundation/import-part'
import {
  loadAccountMethods,
  loadActivityMethods,
  loadAuthorizationMethods,
  loadBackendMethods,
  loadLobbyMethods,
  loadTokenMethods,
  loadUserMethods,
} from './parts'
import { withTypedErrors } from '../foundation/with-typed-errors'
import type { ActivityParticipant } from '../activity/read-participants'
import type { AuthorizationResult } from '../authorization/authorization-result'
import type { Secret } from '../foundation/secret'
import type { Lobby, LobbyMessage, Metadata } from '../lobbies/lobby'
import type { Guild, GuildChannel } from '../lobbies/list-guilds'
import type { CallOptions, LinkedGuildInvite } from '../lobbies/player-lobbies'
import type { JoinOptions } from '../lobbies/validate-player-input'
import type { ExternalAccount } from '../tokens/accounts/external-account'
import type { MergeArgs } from '../tokens/accounts/merge-account'
import type { Session } from '../tokens/session/session'
import type { TokenSet } from '../tokens/token-set'
import type { Caller } from './context/caller'
import type { ClientContext } from './context/client-context'
import type { GivenTokens } from './context/given-tokens'
import { ClientEmitter } from './client-emitter'
import type { AccountMethods, DeviceArgs, DeviceOptions } from './methods/account-methods'
import type { ActivityMethods } from './methods/activity-methods'
import type { AuthorizationMethods } from './methods/authorization-methods'
import type { BackendMethods, BackendRequestInit } from './methods/backend-methods'
import type { LobbyMethods } from './methods/lobby-methods'
import type { TokenMethods } from './methods/token-methods'
import type { CurrentUser, UserMethods } from './methods/user-methods'
import type { SessionMethods } from './context/sessions'

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

/** Loads each module once. Its methods act for a caller: the player who was signed in when the game called. */
export type LazyModuleLoaders = { readonly [Name in keyof LazyModules]: () => Promise<(caller: Caller) => LazyModules[Name]> }

export function createLazyModuleLoaders(context: ClientContext): LazyModuleLoaders {
  return {
    accounts: loadOnce(async () => {
      const methods = (await loadAccountMethods()).createAccountMethods(context)
      return () => methods
    }),
    activity: loadOnce(async () => (await loadActivityMethods()).createActivityMethods(context)),
    authorization: loadOnce(async () => {
      const methods = (await loadAuthorizationMethods()).createAuthorizationMethods(context)
      return () => methods
    }),
    backend: loadOnce(async () => (await loadBackendMethods()).createBackendMethods(context)),
    lobbies: loadOnce(async () => (await besidePage(context, loadLobbyMethods())).createLobbyMethods(context)),
    sessions: async () => (await context.sessions()).methods,
    tokens: loadOnce(async () => (await loadTokenMethods()).createTokenMethods(context)),
    user: loadOnce(async () => (await besidePage(context, loadUserMethods())).createUserMethods(context)),
  }
}

/** `createOrJoinLobby` for modules that build on lobbies. */
export function createJoin(load: (caller?: Caller) => Promise<LazyModules['lobbies']>): ClientContext['joinLobby'] {
  return async (secret, options, caller) => (await load(caller)).createOrJoinLobby(secret, options)
}

/** Fetches the page services at the same time: the first call of the module needs them next. */
function besidePage<Module>({ loadPage }: ClientContext, module: Promise<Module>): Promise<Module> {
  loadPage?.().catch(() => undefined)
  return module
}

/** Delegates every call to its lazily loaded module. The module interfaces contain the documentation. */
export abstract class ClientWithLazyMethods extends ClientEmitter implements LazyMethods {
  /** Loads a module for the caller; default: the player who is signed in now, before anything is awaited. @throws ConfigurationError `closed`. */
  protected abstract loadModule<Name extends keyof LazyModules>(name: Name, caller?: Caller): Promise<LazyModules[Name]>

  /** Runs a public call in its module. @throws FoyerError. */
  #inModule<Name extends keyof LazyModules, T>(name: Name, call: (module: LazyModules[Name]) => Promise<T>): Promise<T> {
    return withTypedErrors(name, async () => call(await this.loadModule(name)))
  }

  async handleCallback(url: string): Promise<AuthorizationResult | null> {
    return this.#inModule('authorization', (module) => module.handleCallback(url))
  }

  async getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: CallOptions): Promise<TokenSet> {
    return this.#inModule('authorization', (module) => module.getToken(result, codeVerifier, options))
  }

  async resume(): Promise<Session | null> {
    return this.#inModule('sessions', (module) => module.resume())
  }

  async refreshToken(refreshToken?: Secret | string | null, options?: CallOptions): Promise<TokenSet> {
    return this.#inModule('sessions', (module) => module.refreshToken(refreshToken, options))
  }

  async revokeToken(token?: Secret | string | null, options?: CallOptions): Promise<void> {
    return this.#inModule('tokens', (module) => module.revokeToken(token, options))
  }

  async updateToken(type: 'Bearer', token: GivenTokens | Secret | string, options?: CallOptions): Promise<Session> {
    return this.#inModule('tokens', (module) => module.updateToken(type, token, options))
  }

  async connectActivity(options?: CallOptions): Promise<ActivityHost> {
    return this.#inModule('activity', (module) => module.connectActivity(options))
  }

  async getActivityParticipants(options?: CallOptions): Promise<readonly ActivityParticipant[]> {
    return this.#inModule('activity', (module) => module.getActivityParticipants(options))
  }

  async joinActivityLobby(options?: JoinOptions & CallOptions): Promise<Lobby> {
    return this.#inModule('activity', (module) => module.joinActivityLobby(options))
  }

  async fetchCurrentUser(options?: { accessToken?: Secret | string | undefined; signal?: AbortSignal | undefined }): Promise<CurrentUser> {
    return this.#inModule('user', (module) => module.fetchCurrentUser(options))
  }

  async getUserGuilds(options?: CallOptions): Promise<Guild[]> {
    return this.#inModule('user', (module) => module.getUserGuilds(options))
  }

  async getGuildChannels(guildId: string, options?: CallOptions): Promise<GuildChannel[]> {
    return this.#inModule('user', (module) => module.getGuildChannels(guildId, options))
  }

  async fetchBackend(url: string, init?: BackendRequestInit): Promise<Response> {
    return this.#inModule('backend', (module) => module.fetchBackend(url, init))
  }

  async getTokenFromDevice(args: DeviceArgs, options: DeviceOptions): Promise<TokenSet> {
    return this.#inModule('accounts', (module) => module.getTokenFromDevice(args, options))
  }

  async abortGetTokenFromDevice(): Promise<void> {
    return this.#inModule('accounts', (module) => module.abortGetTokenFromDevice())
  }

  async getTokenFromDeviceProvisionalMerge(args: DeviceArgs & ExternalAccount, options: DeviceOptions): Promise<TokenSet> {
    return this.#inModule('accounts', (module) => module.getTokenFromDeviceProvisionalMerge(args, options))
  }

  async getTokenFromProvisionalMerge(result: AuthorizationResult, args: MergeArgs, options?: CallOptions): Promise<TokenSet> {
    return this.#inModule('accounts', (module) => module.getTokenFromProvisionalMerge(result, args, options))
  }

  async getProvisionalToken(account: ExternalAccount, options?: CallOptions): Promise<TokenSet> {
    return this.#inModule('accounts', (module) => module.getProvisionalToken(account, options))
  }

  async unmergeIntoProvisionalAccount(account: ExternalAccount, options?: CallOptions): Promise<void> {
    return this.#inModule('accounts', (module) => module.unmergeIntoProvisionalAccount(account, options))
  }

  async exchangeChildToken(parentToken: Secret | string, childApplicationId: string | bigint, options?: CallOptions): Promise<TokenSet> {
    return this.#inModule('accounts', (module) => module.exchangeChildToken(parentToken, childApplicationId, options))
  }

  async createOrJoinLobby(secret: string, options?: JoinOptions & CallOptions): Promise<Lobby> {
    return this.#inModule('lobbies', (module) => module.createOrJoinLobby(secret, options))
  }

  // oxlint-disable-next-line max-params -- the service's reference fixes these parameters
  async createOrJoinLobbyWithMetadata(
    secret: string,
    lobbyMetadata: Metadata,
    memberMetadata: Metadata,
    options?: CallOptions,
  ): Promise<Lobby> {
    return this.#inModule('lobbies', (module) => module.createOrJoinLobbyWithMetadata(secret, lobbyMetadata, memberMetadata, options))
  }

  async leaveLobby(lobbyId: string, options?: CallOptions): Promise<void> {
    return this.#inModule('lobbies', (module) => module.leaveLobby(lobbyId, options))
  }

  // oxlint-disable-next-line max-params -- the service's reference fixes these parameters
  async sendLobbyMessage(lobbyId: string, content: string, metadata?: Metadata, options?: CallOptions): Promise<LobbyMessage> {
    return this.#inModule('lobbies', (module) => module.sendLobbyMessage(lobbyId, content, metadata, options))
  }

  async getLobbyMessagesWithLimit(lobbyId: string, limit: number, options?: CallOptions): Promise<LobbyMessage[]> {
    return this.#inModule('lobbies', (module) => module.getLobbyMessagesWithLimit(lobbyId, limit, options))
  }

  async linkChannelToLobby(lobbyId: string, channelId: string, options?: CallOptions): Promise<Lobby> {
    return this.#inModule('lobbies', (module) => module.linkChannelToLobby(lobbyId, channelId, options))
  }

  async unlinkChannelFromLobby(lobbyId: string, options?: CallOptions): Promise<Lobby> {
    return this.#inModule('lobbies', (module) => module.unlinkChannelFromLobby(lobbyId, options))
  }

  async joinLinkedLobbyGuild(lobbyId: string, options?: CallOptions): Promise<LinkedGuildInvite> {
    return this.#inModule('lobbies', (module) => module.joinLinkedLobbyGuild(lobbyId, options))
  }

  async watchLobby(lobbyId: string, options?: { interval?: number | undefined } & CallOptions): Promise<() => void> {
    return this.#inModule('lobbies', (module) => module.watchLobby(lobbyId, options))
  }

  async autoLeave(lobbyId: string): Promise<() => void> {
    return this.#inModule('lobbies', (module) => module.autoLeave(lobbyId))
  }

  async clearRateLimitBlocks(): Promise<void> {
    return this.#inModule('lobbies', (module) => module.clearRateLimitBlocks())
  }
}
