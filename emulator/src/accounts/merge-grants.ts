/** Lets a player bring a provisional account along while signing in: two more fields on the token endpoint. */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { OidcLibrary } from '../oauth/load-oidc-provider.js'
import { headerText } from '../foundation/header-text.js'
import { textOf } from '../foundation/decode.js'
import type { AccountService } from './account-service.js'
import { AccountError } from './errors.js'

const fields = ['external_auth_type', 'external_auth_token'] as const

/** The grants that a merge can go with, and the field that holds what they exchange. */
const sources = [
  {
    grant: 'authorization_code',
    field: 'code',
    find: (provider: Provider, code: string): Promise<Source | undefined> => provider.AuthorizationCode.find(code),
  },
  {
    grant: 'urn:ietf:params:oauth:grant-type:device_code',
    field: 'device_code',
    find: (provider: Provider, code: string): Promise<Source | undefined> => provider.DeviceCode.find(code),
  },
]

/** The merge is checked before the code is used up, so that a refused one can be tried again, and done after tokens were given. */
export function allowMerge(provider: Provider, accountService: AccountService, { internals }: OidcLibrary): void {
  const { grantTypeHandlers, grantTypeParams } = internals(provider)
  for (const { grant, field, find } of sources) {
    const exchange = grantTypeHandlers.get(grant)
    if (exchange === undefined) throw new TypeError('the authorization server library keeps its grants elsewhere now')
    const handler = async (ctx: KoaContextWithOIDC): Promise<void> => {
      try {
        const source = await find(provider, textOf(ctx.oidc.params?.[field]) ?? '')
        const merge = source === undefined ? undefined : await prepare(ctx, accountService, source)
        await exchange(ctx)
        merge?.()
      } catch (error) {
        if (!(error instanceof AccountError)) throw error
        refuse(ctx, error)
      }
    }
    provider.registerGrantType(grant, handler, [...(grantTypeParams.get(grant) ?? []), ...fields])
  }
}

interface Source {
  accountId?: string | undefined
  /** Set when it was used. */
  consumed?: unknown
}

async function prepare(ctx: KoaContextWithOIDC, accountService: AccountService, source: Source): Promise<(() => void) | undefined> {
  const [type, token] = fields.map((name) => textOf(ctx.oidc.params?.[name]))
  if (source.accountId === undefined || source.consumed !== undefined || (type === undefined && token === undefined)) return undefined
  if (type === undefined || token === undefined) {
    const rule = 'external_auth_type and external_auth_token belong together'
    throw new AccountError({ status: 400, code: 50_035, message: 'Invalid Form Body', rule })
  }
  return accountService.prepareMerge(type, token, source.accountId)
}

function refuse(ctx: KoaContextWithOIDC, { refusal: { status, code, message, rule } }: AccountError): void {
  ctx.status = status
  ctx.body = { message, code }
  ctx.set('X-Emulator-Rule', headerText(rule))
}
