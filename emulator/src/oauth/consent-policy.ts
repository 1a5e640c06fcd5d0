/** Consent policy: every request prompts the player, except with `prompt=none`. */
import type { interactionPolicy, KoaContextWithOIDC } from 'oidc-provider'
import type { OidcLibrary } from './load-oidc-provider.js'

export function consentPolicy({ Check, Prompt }: OidcLibrary): interactionPolicy.Prompt[] {
  const always = new Check('always_asked', 'the player is asked at every request', (ctx) => !silent(ctx) && !answered(ctx))
  const nobody = new Check(
    'nobody',
    'no player is signed in in this browser',
    'login_required',
    (ctx) => ctx.oidc.session?.accountId === undefined,
  )
  const missing = new Check('not_granted', 'the player has not granted these scopes yet', 'interaction_required', (ctx) => !granted(ctx))
  return [new Prompt({ name: 'consent', requestable: true }, always, nobody, missing)]
}

function silent(ctx: KoaContextWithOIDC): boolean {
  return ctx.oidc.prompts.has('none')
}

function answered(ctx: KoaContextWithOIDC): boolean {
  return ctx.oidc.result?.['consent'] !== undefined
}

function granted(ctx: KoaContextWithOIDC): boolean {
  const scopes = new Set(ctx.oidc.entities.Grant?.getOIDCScope().split(' '))
  return [...ctx.oidc.requestParamOIDCScopes].every((scope) => scopes.has(scope))
}
