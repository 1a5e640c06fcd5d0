/** Renders errors that must not be redirected to the application: HTML for browsers, JSON for programs. */
import type { errors, ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { headerText } from '../foundation/header-text.js'
import { describeAuthorizationError } from './describe-authorization-error.js'
import { refusalPage } from '../pages/refusal-page.js'
import { pagePolicy } from '../pages/page-policy.js'
import type { Application } from '../seed/seed.js'

interface Cause {
  error: errors.OIDCProviderError | Error
  application: Application
}

export async function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, { application }: Cause): Promise<void> {
  if (ctx.path.startsWith('/api/')) {
    ctx.type = 'json'
    ctx.body = out
    return
  }
  const parameters = Object.fromEntries(
    Object.entries(ctx.query).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]),
  )
  const refusal = describeAuthorizationError({ error: out.error, description: out.error_description ?? '', parameters }, application)
  ctx.set('X-Emulator-Rule', headerText(refusal.rule))
  ctx.set('Content-Security-Policy', pagePolicy())
  if (ctx.accepts('html', 'json') === 'json')
    ctx.body = { error: refusal.error, error_description: refusal.description, rule: refusal.rule }
  else {
    ctx.type = 'html'
    ctx.body = String(await refusalPage(refusal))
  }
}
