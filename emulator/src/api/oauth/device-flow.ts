/** Pages of the device flow, where a player enters the user code. */
import { headerText } from '../../foundation/header-text.js'
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceDonePage,
  deviceRefusedPage,
} from '../../pages/documents/device-activation-pages.js'
import { pagePolicy, type Page } from '../../pages/documents/document.js'
import type { Clock } from '../../state/clock.js'
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'

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
      return send(
        ctx,
        deviceCodePage({ xsrf: xsrfOf(form), userCode: offered(ctx), problem: error?.message }),
      )
    },
    userCodeConfirmSource: (...[ctx, form, client, , userCode]: Parameters<ConfirmSource>) =>
      send(
        ctx,
        deviceConfirmPage({ xsrf: xsrfOf(form), name: client.clientName ?? client.clientId, userCode }),
      ),
    successSource: (ctx) => send(ctx, deviceDonePage()),
  }
}

/** A link with the code fills in the field; the library would submit it by script. */
export async function offerUserCode(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.method === 'GET' && ctx.path === '/activate' && ctx.query['user_code'] !== undefined) {
    ctx.state['userCode'] = String(ctx.query['user_code'])
    ctx.query = {}
  }
  await next()
}

/** A browser whose session is over gets a new form: the library fails while it refuses the old one. */
export function renewForm(provider: Provider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const isForm = ctx.path.startsWith('/activate/') || (ctx.path === '/activate' && ctx.method === 'POST')
    if (!isForm || (await provider.Session.get(ctx)).exp !== undefined) return next()
    ctx.set('X-Emulator-Rule', 'the session of this form is over: enter the code again')
    ctx.redirect('/activate')
    ctx.status = 303
    return undefined
  }
}

function offered(ctx: KoaContextWithOIDC): string {
  return String(ctx.state['userCode'] ?? '')
}

/** The library provides its own form; only its CSRF token is used. */
function xsrfOf(form: string): string {
  return /name="xsrf" value="([0-9a-f]+)"/.exec(form)?.[1] ?? ''
}

async function send(ctx: KoaContextWithOIDC, page: Page): Promise<void> {
  ctx.set('Content-Security-Policy', pagePolicy())
  ctx.type = 'html'
  ctx.body = String(await page)
}

/** Seconds between two polls, as reported to the device. */
export const POLL_INTERVAL = 5
/** Seconds added to the interval of a device that polls too often. */
const PENALTY = 5

export class DevicePolls {
  readonly #clock: Clock
  readonly #polls = new Map<string, { last: number; interval: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records a poll; returns the required interval in seconds if it was too early. */
  tooSoon(deviceCode: string): number | undefined {
    const now = this.#clock.now()
    const { last, interval } = this.#polls.get(deviceCode) ?? {
      last: Number.NEGATIVE_INFINITY,
      interval: POLL_INTERVAL,
    }
    const soon = now - last < interval * 1000
    this.#polls.set(deviceCode, { last: now, interval: soon ? interval + PENALTY : interval })
    return soon ? interval + PENALTY : undefined
  }
}
