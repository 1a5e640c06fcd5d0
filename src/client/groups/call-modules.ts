/** Modules of calls, whose code is loaded with the first of them. */
import type { SessionMethods } from '../context/sessions'
import type { AccountMethods } from './account-methods'
import type { ActivityMethods } from './activity-methods'
import type { AuthorizationMethods } from './authorization-methods'
import type { BackendMethods } from './backend-methods'
import type { LobbyMethods } from './lobby-methods'
import type { TokenMethods } from './token-methods'
import type { UserMethods } from './user-methods'

/** Modules by name. */
export interface CallModules {
  accounts: AccountMethods
  activity: ActivityMethods
  authorization: AuthorizationMethods
  backend: BackendMethods
  lobbies: LobbyMethods
  sessions: SessionMethods
  tokens: TokenMethods
  user: UserMethods
}

/** Runs a public call in its module, for the player who is signed in now. @throws FoyerError. */
export type RunCall = <Name extends keyof CallModules, T>(
  name: Name,
  call: (module: CallModules[Name]) => Promise<T>,
) => Promise<T>
