/** Loads the authorization server library on first need, past its index, which would warn about the version of Node. */
import type { errors, interactionPolicy, Provider } from 'oidc-provider'

export interface Library {
  Provider: typeof Provider
  InvalidScope: new (description: string, scope?: string) => errors.InvalidScope
  Check: typeof interactionPolicy.Check
  Prompt: typeof interactionPolicy.Prompt
}

export async function loadLibrary(): Promise<Library> {
  const [{ Provider }, { InvalidScope }, { Check, Prompt }] = await Promise.all([
    import('oidc-provider/lib/provider.js'),
    import('oidc-provider/lib/helpers/errors.js'),
    import('oidc-provider/lib/helpers/interaction_policy/index.js'),
  ])
  return { Provider, InvalidScope, Check, Prompt }
}
