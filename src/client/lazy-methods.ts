/** The methods of a client that load their code when they are first called. */
import { ClientEmitter } from './emitter'
import { memoizedImport } from '../foundation/lazy'
import type { AccountMethods } from './methods/accounts'
import type { ActivityMethods } from './methods/activity'
import type { AuthorizationMethods } from './methods/authorization'
import type { ClientContext } from './context'
import type { LobbyMethods } from './methods/lobbies'
import type { SessionMethods } from './session-api'
import type { TokenMethods } from './methods/tokens'
import type { UserMethods } from './methods/user'

/** The methods of all parts. */
export interface LazyMethods
  extends AccountMethods, ActivityMethods, AuthorizationMethods, LobbyMethods, SessionMethods, TokenMethods, UserMethods {}

/** The methods as functions: the compiler compares the parameters of functions strictly, and those of methods in both directions. */
type Functions<Calls extends object> = {
  [Method in keyof Calls]: Calls[Method] extends (...args: infer Args) => infer Result ? (...args: Args) => Result : never
}

/** The parts by name. */
export interface LazyModules {
  accounts: Functions<AccountMethods>
  activity: Functions<ActivityMethods>
  authorization: Functions<AuthorizationMethods>
  lobbies: Functions<LobbyMethods>
  sessions: Functions<SessionMethods>
  tokens: Functions<TokenMethods>
  user: Functions<UserMethods>
}

/** Loads each part once. A part that cannot be fetched is asked for again by the next call. */
export type LazyModuleLoaders = { readonly [Name in keyof LazyModules]: () => Promise<LazyModules[Name]> }

export function createLazyModuleLoaders(context: ClientContext): LazyModuleLoaders {
  return {
    accounts: memoizedImport(async () => (await import('./methods/accounts')).createAccountMethods(context)),
    activity: memoizedImport(async () => (await import('./methods/activity')).createActivityMethods(context)),
    authorization: memoizedImport(async () => (await import('./methods/authorization')).createAuthorizationMethods(context)),
    lobbies: memoizedImport(async () => (await import('./methods/lobbies')).createLobbyMethods(context)),
    sessions: () => context.sessions(),
    tokens: memoizedImport(async () => (await import('./methods/tokens')).createTokenMethods(context)),
    user: memoizedImport(async () => (await import('./methods/user')).createUserMethods(context)),
  }
}

type Args<Method extends keyof LazyMethods> = Parameters<LazyMethods[Method]>
type Result<Method extends keyof LazyMethods> = ReturnType<LazyMethods[Method]>

/** Every method hands its call to its part; the interface of the part documents it. */
export abstract class ClientWithLazyMethods extends ClientEmitter implements LazyMethods {
  /** Loads a part. @throws ConfigurationError `closed`. */
  protected abstract part<Name extends keyof LazyModules>(name: Name): Promise<LazyModules[Name]>

  async handleCallback(...args: Args<'handleCallback'>): Result<'handleCallback'> {
    return (await this.part('authorization')).handleCallback(...args)
  }

  async getToken(...args: Args<'getToken'>): Result<'getToken'> {
    return (await this.part('authorization')).getToken(...args)
  }

  async resume(...args: Args<'resume'>): Result<'resume'> {
    return (await this.part('sessions')).resume(...args)
  }

  async refreshToken(...args: Args<'refreshToken'>): Result<'refreshToken'> {
    return (await this.part('sessions')).refreshToken(...args)
  }

  async revokeToken(...args: Args<'revokeToken'>): Result<'revokeToken'> {
    return (await this.part('tokens')).revokeToken(...args)
  }

  async updateToken(...args: Args<'updateToken'>): Result<'updateToken'> {
    return (await this.part('tokens')).updateToken(...args)
  }

  async connectActivity(...args: Args<'connectActivity'>): Result<'connectActivity'> {
    return (await this.part('activity')).connectActivity(...args)
  }

  async getActivityParticipants(...args: Args<'getActivityParticipants'>): Result<'getActivityParticipants'> {
    return (await this.part('activity')).getActivityParticipants(...args)
  }

  async joinActivityLobby(...args: Args<'joinActivityLobby'>): Result<'joinActivityLobby'> {
    return (await this.part('activity')).joinActivityLobby(...args)
  }

  async fetchCurrentUser(...args: Args<'fetchCurrentUser'>): Result<'fetchCurrentUser'> {
    return (await this.part('user')).fetchCurrentUser(...args)
  }

  async getTokenFromDevice(...args: Args<'getTokenFromDevice'>): Result<'getTokenFromDevice'> {
    return (await this.part('accounts')).getTokenFromDevice(...args)
  }

  async abortGetTokenFromDevice(...args: Args<'abortGetTokenFromDevice'>): Result<'abortGetTokenFromDevice'> {
    return (await this.part('accounts')).abortGetTokenFromDevice(...args)
  }

  async getTokenFromDeviceProvisionalMerge(
    ...args: Args<'getTokenFromDeviceProvisionalMerge'>
  ): Result<'getTokenFromDeviceProvisionalMerge'> {
    return (await this.part('accounts')).getTokenFromDeviceProvisionalMerge(...args)
  }

  async getTokenFromProvisionalMerge(...args: Args<'getTokenFromProvisionalMerge'>): Result<'getTokenFromProvisionalMerge'> {
    return (await this.part('accounts')).getTokenFromProvisionalMerge(...args)
  }

  async getProvisionalToken(...args: Args<'getProvisionalToken'>): Result<'getProvisionalToken'> {
    return (await this.part('accounts')).getProvisionalToken(...args)
  }

  async unmergeIntoProvisionalAccount(...args: Args<'unmergeIntoProvisionalAccount'>): Result<'unmergeIntoProvisionalAccount'> {
    return (await this.part('accounts')).unmergeIntoProvisionalAccount(...args)
  }

  async exchangeChildToken(...args: Args<'exchangeChildToken'>): Result<'exchangeChildToken'> {
    return (await this.part('accounts')).exchangeChildToken(...args)
  }

  async createOrJoinLobby(...args: Args<'createOrJoinLobby'>): Result<'createOrJoinLobby'> {
    return (await this.part('lobbies')).createOrJoinLobby(...args)
  }

  async createOrJoinLobbyWithMetadata(...args: Args<'createOrJoinLobbyWithMetadata'>): Result<'createOrJoinLobbyWithMetadata'> {
    return (await this.part('lobbies')).createOrJoinLobbyWithMetadata(...args)
  }

  async leaveLobby(...args: Args<'leaveLobby'>): Result<'leaveLobby'> {
    return (await this.part('lobbies')).leaveLobby(...args)
  }

  async sendLobbyMessage(...args: Args<'sendLobbyMessage'>): Result<'sendLobbyMessage'> {
    return (await this.part('lobbies')).sendLobbyMessage(...args)
  }

  async getLobbyMessagesWithLimit(...args: Args<'getLobbyMessagesWithLimit'>): Result<'getLobbyMessagesWithLimit'> {
    return (await this.part('lobbies')).getLobbyMessagesWithLimit(...args)
  }

  async linkChannelToLobby(...args: Args<'linkChannelToLobby'>): Result<'linkChannelToLobby'> {
    return (await this.part('lobbies')).linkChannelToLobby(...args)
  }

  async unlinkChannelFromLobby(...args: Args<'unlinkChannelFromLobby'>): Result<'unlinkChannelFromLobby'> {
    return (await this.part('lobbies')).unlinkChannelFromLobby(...args)
  }

  async watchLobby(...args: Args<'watchLobby'>): Result<'watchLobby'> {
    return (await this.part('lobbies')).watchLobby(...args)
  }

  async autoLeave(...args: Args<'autoLeave'>): Result<'autoLeave'> {
    return (await this.part('lobbies')).autoLeave(...args)
  }

  async clearRateLimitBlocks(...args: Args<'clearRateLimitBlocks'>) {
    return (await this.part('lobbies')).clearRateLimitBlocks(...args)
  }
}
