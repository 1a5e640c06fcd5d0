/** Calls of a client whose code is loaded with the first of them. */
import { loadOnce } from '../shared/foundation/import-part'
import { withTypedErrors } from '../shared/foundation/with-typed-errors'
import type { Caller } from './context/caller'
import type { ClientContext } from './context/client-context'
import type { CallModules, RunCall } from './groups/call-modules'
import {
  loadAccountMethods,
  loadActivityMethods,
  loadAuthorizationMethods,
  loadBackendMethods,
  loadLobbyMethods,
  loadTokenMethods,
  loadUserMethods,
} from './parts'

/** Loads each module once. Its calls act for a caller: the player who was signed in when the game called. */
export type CallLoaders = {
  readonly [Name in keyof CallModules]: () => Promise<(caller: Caller) => CallModules[Name]>
}

export function createCallLoaders(context: ClientContext): CallLoaders {
  return {
    accounts: loadOnce(async () => forAnyone((await loadAccountMethods()).createAccountMethods(context))),
    activity: loadOnce(async () => (await loadActivityMethods()).createActivityMethods(context)),
    authorization: loadOnce(async () =>
      forAnyone((await loadAuthorizationMethods()).createAuthorizationMethods(context)),
    ),
    backend: loadOnce(async () => (await loadBackendMethods()).createBackendMethods(context)),
    lobbies: loadOnce(async () =>
      (await besidePage(context, loadLobbyMethods())).createLobbyMethods(context),
    ),
    sessions: async () => (await context.sessions()).methods,
    tokens: loadOnce(async () => (await loadTokenMethods()).createTokenMethods(context)),
    user: loadOnce(async () => (await besidePage(context, loadUserMethods())).createUserMethods(context)),
  }
}

export function createRunCall(context: ClientContext, loaders: CallLoaders): RunCall {
  const loaded: { [Name in keyof CallModules]?: (caller: Caller) => CallModules[Name] } = {}
  return (name, call) =>
    withTypedErrors(name, async () => {
      context.requireOpen()
      const { caller } = context.authState
      // Waits for nothing that is loaded: a join and a `leave` of the lobby's object, which loads nothing, stay in call order.
      const callsOf = loaded[name] ?? (await loaders[name]())
      Object.assign(loaded, { [name]: callsOf })
      return call(callsOf(caller))
    })
}

const forAnyone =
  <Methods>(methods: Methods) =>
  (): Methods =>
    methods

/** Fetches the page services at the same time: the first call of the module needs them next. */
function besidePage<Module>({ loadPage }: ClientContext, module: Promise<Module>): Promise<Module> {
  loadPage?.().catch(() => undefined)
  return module
}
