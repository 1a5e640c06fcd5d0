/** Merges a provisional account during sign-in: two additional parameters of the token endpoint. */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { OidcLibrary } from '../../service/oauth/load-oidc-provider.js'
import { ApiError } from '../../check/api-error.js'
import { headerText } from '../../foundation/header-text.js'
import { textOf } from '../../foundation/values.js'
import type { AccountService } from '../../service/accounts/account-service.js'
import { invalidForm } from '../../check/account-error.js'

const FIELDS = ['external_auth_type', 'external_auth_token'] as const

/** Grants that accept a merge, with the parameter that they exchange. */
const sources = [
  {
    grant: 'authorization_code',
    field: 'code',
    find: (provider: Provider, code: string): Promise<Source | undefined> =>
      provider.AuthorizationCode.find(code),
  },
  {
    grant: 'urn:ietf:params:oauth:grant-type:device_code',
    field: 'device_code',
    find: (provider: Provider, code: string): Promise<Source | undefined> => provider.DeviceCode.find(code),
  },
]

/** Checks the merge before the code is consumed, so that a refused request can be repeated, and merges after the tokens were issued. */
export function allowMerge(
  provider: Provider,
  accountService: AccountService,
  { internals }: OidcLibrary,
): void {
  const { grantTypeHandlers, grantTypeParams } = internals(provider)
  for (const { grant, field, find } of sources) {
    const exchange = grantTypeHandlers.get(grant)
    if (exchange === undefined)
      throw new TypeError('the authorization server library keeps its grants elsewhere now')
    const handler = async (ctx: KoaContextWithOIDC): Promise<void> => {
      try {
        const source = await find(provider, textOf(ctx.oidc.params?.[field]) ?? '')
        const merge = source === undefined ? undefined : await prepare(ctx, accountService, source)
        await exchange(ctx)
        merge?.()
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refuse(ctx, error)
      }
    }
    provider.registerGrantType(grant, handler, [...(grantTypeParams.get(grant) ?? []), ...FIELDS])
  }
}

interface Source {
  accountId?: string | undefined
  /** Set once the code was used. */
  consumed?: unknown
}

async function prepare(
  ctx: KoaContextWithOIDC,
  accountService: AccountService,
  source: Source,
): Promise<(() => void) | undefined> {
  const [type, token] = FIELDS.map((name) => textOf(ctx.oidc.params?.[name]))
  if (
    source.accountId === undefined ||
    source.consumed !== undefined ||
    (type === undefined && token === undefined)
  )
    return undefined
  if (type === undefined || token === undefined) {
    const rule = 'external_auth_type and external_auth_token belong together'
    throw invalidForm(rule)
  }
  return accountService.prepareMerge(type, token, source.accountId)
}

function refuse(ctx: KoaContextWithOIDC, { fields: { status, code, message, rule } }: ApiError): void {
  ctx.status = status
  ctx.body = { message, code }
  ctx.set('X-Emulator-Rule', headerText(rule))
}
