/** Rewrites errors of the token endpoints to the service's messages, and adds the rule for developers. */
import type { KoaContextWithOIDC, errors } from 'oidc-provider'
import { headerText } from '../../foundation/header-text.js'
import { printedSecret } from '../../foundation/printed-secret.js'
import type { Records } from '../../state/records.js'

interface TokenErrorResponse {
  error: string
  description: string
  rule: string
}

const KINDS: Record<string, { kind: string; parameter: string; message: string }> = {
  authorization_code: { kind: 'AuthorizationCode', parameter: 'code', message: 'Invalid "code" in request.' },
  refresh_token: {
    kind: 'RefreshToken',
    parameter: 'refresh_token',
    message: 'Invalid "refresh_token" in request',
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    kind: 'DeviceCode',
    parameter: 'device_code',
    message: 'Invalid "device_code" in request',
  },
}

/** Errors of a pending, denied or expired device code. */
const DEVICE: Record<string, { description: string; rule: string }> = {
  authorization_pending: {
    description: 'The player has not answered yet',
    rule: 'nobody has answered for this device yet: ask again after the interval',
  },
  access_denied: {
    description: 'The player denied the request',
    rule: 'the player denied the request of this device',
  },
  expired_token: { description: 'The device code is expired', rule: 'device_code is expired' },
}

/** Replaces the response to a poll that was too early by `slow_down`. */
export function slowDown(ctx: KoaContextWithOIDC, interval: number): void {
  ctx.body = { error: 'slow_down', error_description: 'The device asks too often' }
  ctx.set('X-Emulator-Rule', `asked again too soon: from now on the interval is ${interval} seconds`)
}

/** Rewrites the response that the library is about to send. */
export function explainTokenError(
  ctx: KoaContextWithOIDC,
  error: errors.OIDCProviderError,
  records: Records,
): void {
  const { error: code, description, rule } = describeTokenError(ctx, error, records)
  ctx.body = { error: code, ...(description === '' ? {} : { error_description: description }) }
  ctx.set('X-Emulator-Rule', printedParameter(ctx) ?? rule)
}

/** The rule about a parameter that is the text of a secret, whatever the error says about it. */
function printedParameter({ oidc }: KoaContextWithOIDC): string | undefined {
  const parameters = Object.entries(oidc.params ?? {})
  return parameters.map(([name, value]) => printedSecret(value, name)).find((rule) => rule !== undefined)
}

function describeTokenError(
  ctx: KoaContextWithOIDC,
  error: errors.OIDCProviderError,
  records: Records,
): TokenErrorResponse {
  const detail = error.error_detail ?? error.error_description ?? error.message
  const description = error.error_description ?? ''
  if (error.error === 'invalid_grant') return invalidGrant(ctx, detail, records)
  if (description.startsWith('only application/x-www-form-urlencoded')) {
    return {
      error: error.error,
      description: 'The body must be application/x-www-form-urlencoded.',
      rule: 'body is not form-encoded',
    }
  }
  if (description.includes("'code_verifier'")) return MISSING_VERIFIER
  if (error.error === 'invalid_client' && isWithoutSecret(ctx)) return NOT_PUBLIC
  const waiting = DEVICE[error.error]
  if (waiting !== undefined) return { error: error.error, ...waiting }
  return { error: error.error, description, rule: headerText(detail) }
}

/** The application is confidential, and the request has no secret. */
const NOT_PUBLIC: TokenErrorResponse = {
  error: 'invalid_client',
  description: 'The application is not a Public Client, and the request has no client_secret',
  rule: 'the switch "Public Client" of the application is off (seed: application.publicClient): turn it on, or send client_secret from a backend',
}

function isWithoutSecret({ headers, oidc }: KoaContextWithOIDC): boolean {
  return (
    headers.authorization === undefined &&
    oidc.params?.['client_secret'] === undefined &&
    oidc.client?.clientAuthMethod !== 'none'
  )
}

const MISSING_VERIFIER: TokenErrorResponse = {
  error: 'invalid_request',
  description: 'Missing "code_verifier"',
  rule: 'code_verifier is missing',
}

function invalidGrant(ctx: KoaContextWithOIDC, detail: string, records: Records): TokenErrorResponse {
  if (detail === 'code_verifier must be provided') return MISSING_VERIFIER
  const grant = KINDS[String(ctx.oidc.params?.['grant_type'])]
  const value = grant === undefined ? undefined : ctx.oidc.params?.[grant.parameter]
  const reason =
    grant === undefined || typeof value !== 'string' ? undefined : records.endReason(grant.kind, value)
  return {
    error: 'invalid_grant',
    description: grant?.message ?? '',
    rule: ruleOf(detail, grant?.parameter ?? 'grant', reason),
  }
}

function ruleOf(detail: string, parameter: string, reason: string | undefined): string {
  if (detail.endsWith('already consumed') || detail.endsWith('already used'))
    return `${parameter} was used before: it works once, and using it again ends its grant`
  if (reason !== undefined) return `${parameter} no longer works: ${reason}`
  if (detail.endsWith('not found')) return `${parameter} was never issued here`
  if (detail.endsWith('is expired')) return `${parameter} is expired`
  if (detail.startsWith('code_verifier does not match'))
    return 'code_verifier does not match the code_challenge of the request'
  if (detail.includes('redirect_uri mismatch'))
    return 'redirect_uri is not the one of the authorization request'
  if (detail === 'client mismatch') return `${parameter} belongs to another application`
  return headerText(detail)
}
