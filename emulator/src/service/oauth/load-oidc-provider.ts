/** Loads the authorization server library on first use, not through its index, which warns about the version of Node. */
import type { KoaContextWithOIDC, Provider, errors, interactionPolicy } from 'oidc-provider'

interface Internals {
  grantTypeHandlers: Map<string, (ctx: KoaContextWithOIDC) => Promise<void>>
  grantTypeParams: Map<string | undefined, Set<string>>
  responseModes: Map<string, unknown>
}

export interface OidcLibrary {
  Provider: typeof Provider
  InvalidScope: new (description: string, scope?: string) => errors.InvalidScope
  InvalidGrant: new (detail: string) => errors.InvalidGrant
  Check: typeof interactionPolicy.Check
  Prompt: typeof interactionPolicy.Prompt
  /** The library's registered grants, and the parameters of each. */
  internals: (provider: Provider) => Internals
}

export async function loadOidcProvider(): Promise<OidcLibrary> {
  acceptMachineBytes()
  const [{ Provider }, { InvalidScope, InvalidGrant }, { Check, Prompt }, { get: internals }] =
    await Promise.all([
      import('oidc-provider/lib/provider.js'),
      import('oidc-provider/lib/helpers/errors.js'),
      import('oidc-provider/lib/helpers/interaction_policy/index.js'),
      import('oidc-provider/lib/helpers/weak_cache.js'),
    ])
  return { Provider, InvalidScope, InvalidGrant, Check, Prompt, internals }
}

/** `Buffer` is of the machine, whatever the environment replaces. */
const MachineBytes: unknown = Object.getPrototypeOf(Buffer)

/** The replaced class takes the machine's bytes for its own then, as every caller expects. Does nothing where nothing is replaced. */
function acceptMachineBytes(): void {
  const { Uint8Array: own } = globalThis
  if (own === MachineBytes) return
  Object.defineProperty(own, Symbol.hasInstance, { value: isBytes, configurable: true })
}

const isBytes = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Uint8Array]'
