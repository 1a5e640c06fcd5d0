/** Client-credentials grant: requires the secret, and checks the scopes. */
import type { Client, Provider } from 'oidc-provider'
import { textOf } from '../foundation/type-guards.js'
import type { OidcLibrary } from './load-oidc-provider.js'
import { refusedToApplication, splitScopes } from '../model/scope.js'

const GRANT_TYPE = 'client_credentials'

interface Rules {
  /** Returns the library's context of the current request. */
  current: () => typeof Provider.ctx
  team: boolean
  oidc: OidcLibrary
}

/** Overrides the client's allowed grants: the library supports neither an optional secret nor scopes of one grant. */
export function allowClientCredentials(client: Client, { current, team, oidc }: Rules): void {
  const usual = client.grantTypeAllowed.bind(client)
  Object.defineProperty(client, 'grantTypeAllowed', {
    value: (type: string) => {
      if (type !== GRANT_TYPE) return usual(type)
      if (client.clientAuthMethod === 'none') return false
      checkScopes(splitScopes(textOf(current()?.oidc.body?.['scope'])), { team, oidc })
      return true
    },
  })
}

function checkScopes(scopes: string[], { team, oidc: { InvalidScope } }: Pick<Rules, 'team' | 'oidc'>): void {
  if (scopes.length === 0) throw new InvalidScope('scope is required')
  const refused = refusedToApplication(scopes, { team })
  if (refused.length === 0) return
  const why = team ? 'an application of a team cannot have these scopes' : 'unknown scope'
  throw new InvalidScope(`${why}: ${refused.join(' ')}`)
}
