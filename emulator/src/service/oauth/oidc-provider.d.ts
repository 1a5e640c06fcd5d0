// The package's index prints a warning about this version of Node; the class itself supports it.
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/errors.js' {
  import type { errors } from 'oidc-provider'
  export const InvalidScope: new (description: string, scope?: string) => errors.InvalidScope
  export const InvalidGrant: new (detail: string) => errors.InvalidGrant
}
declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { interactionPolicy } from 'oidc-provider'
  export const Check: typeof interactionPolicy.Check
  export const Prompt: typeof interactionPolicy.Prompt
}
declare module 'oidc-provider/lib/helpers/weak_cache.js' {
  import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
  export function get(provider: Provider): {
    grantTypeHandlers: Map<string, (ctx: KoaContextWithOIDC) => Promise<void>>
    grantTypeParams: Map<string | undefined, Set<string>>
    responseModes: Map<string, unknown>
  }
}
