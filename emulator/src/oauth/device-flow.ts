/** The pages where a player types the code that a device shows. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { deviceCodePage, deviceConfirmPage, deviceDonePage, deviceRefusedPage } from '../pages/device-page.js'
import { headerText } from '../foundation/header-text.js'
import { pagePolicy } from '../pages/policy.js'
import type { Page } from '../pages/document.js'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>
type ConfirmSource = NonNullable<DeviceFlow['userCodeConfirmSource']>

export function deviceFlow(): DeviceFlow {
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    userCodeInputSource: async (...[ctx, form, , error]) => {
      if (error !== undefined) ctx.set('X-Emulator-Rule', headerText(error.message))
      if (error?.name === 'AbortedError') return send(ctx, deviceRefusedPage())
      return send(ctx, deviceCodePage({ xsrf: xsrfOf(form), userCode: offered(ctx), problem: error?.message }))
    },
    userCodeConfirmSource: (...[ctx, form, client, , userCode]: Parameters<ConfirmSource>) =>
      send(ctx, deviceConfirmPage({ xsrf: xsrfOf(form), name: client.clientName ?? client.clientId, userCode })),
    successSource: (ctx) => send(ctx, deviceDonePage()),
  }
}

/** A link that carries the code fills the field in; the library would submit it by a script. */
export async function offerUserCode(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.method === 'GET' && ctx.path === '/activate' && ctx.query['user_code'] !== undefined) {
    ctx.state['userCode'] = String(ctx.query['user_code'])
    ctx.query = {}
  }
  await next()
}

function offered(ctx: KoaContextWithOIDC): string {
  return String(ctx.state['userCode'] ?? '')
}

/** The library hands over a form of its own; only its token against forgery is of use. */
function xsrfOf(form: string): string {
  return /name="xsrf" value="([0-9a-f]+)"/.exec(form)?.[1] ?? ''
}

async function send(ctx: KoaContextWithOIDC, page: Page): Promise<void> {
  ctx.set('Content-Security-Policy', pagePolicy())
  ctx.type = 'html'
  ctx.body = String(await page)
}
