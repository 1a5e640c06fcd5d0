/** The refusals of accounts from elsewhere, by the service's codes; statuses that the service does not tell are 400. */
import type { Refusal } from '../api/refuse.js'

/** Statuses beside a code are documented; the messages are in our words. */
const refusals: Record<number, Omit<Refusal, 'code'>> = {
  530_000: refusal('Provisional accounts are not enabled', 'provisional accounts are not enabled for the application'),
  530_001: refusal('The ID token is expired', 'the external token is expired'),
  530_002: refusal('The ID token issuer is invalid', 'the issuer of the external token is not the configured one'),
  530_003: refusal('The ID token audience is invalid', 'the audience of the external token is not the configured one'),
  530_004: refusal('The ID token was issued too long ago', 'the external token is older than a week'),
  530_006: refusal('A username could not be generated', 'no username could be made this time: ask again'),
  530_007: refusal('The client secret is invalid', 'the client secret is not the one of the application'),
  530_008: refusal('The OIDC configuration was not found', 'the issuer has no OIDC configuration'),
  530_009: refusal('The JWKS was not found', 'the issuer has no keys'),
  530_010: refusal('The account is not provisional', 'this identity belongs to a full account: the player signs in with that one'),
  530_014: refusal('The source account is not provisional', 'only a provisional account can be merged into another one'),
  530_016: refusal('The destination account is provisional', 'an account cannot be merged into a provisional one'),
  530_017: refusal('The source account is banned', 'the provisional account is banned'),
  530_020: refusal('The OIDC token is invalid', 'the external token is none: here it looks like emu:<subject>'),
  530_023: refusal('The identity is already attached', 'this identity belongs to another full account'),
  530_027: refusal('The ID token has no kid', 'the external token names no key'),
  50_025: { ...refusal('Invalid OAuth2 access token', 'the token is not valid'), status: 403 },
  50_229: refusal('Invalid user type', 'the account of this identity is provisional: there is nothing to unmerge'),
  10_013: { ...refusal('Unknown User', 'no account has this identity'), status: 404 },
  10_002: { ...refusal('Unknown Application', 'no application here has this id'), status: 404 },
  20_012: {
    ...refusal('You are not authorized to perform this action on this application', 'a child application cannot do this'),
    status: 403,
  },
  50_109: refusal('The request body contains invalid JSON.', 'the body is no JSON object'),
}

function refusal(message: string, rule: string): Omit<Refusal, 'code'> {
  return { status: 400, message, rule }
}

function refusalOf(code: number, rule?: string): Refusal {
  const known = refusals[code] ?? refusal('Error', `code ${code}`)
  return { code, ...known, ...(rule === undefined ? {} : { rule }) }
}

/** The service's lock while accounts are being merged; it has no code of its own. */
export const locked: Refusal = { status: 423, code: 0, message: 'Locked', rule: 'the account is locked for a moment: ask again' }

/** Thrown where a request turns out to be wrong, answered in one place. */
export class AccountError extends Error {
  readonly refusal: Refusal
  /** Field by field what is wrong with a form. */
  readonly errors: Record<string, unknown> | undefined

  constructor(given: number | Refusal, { rule, errors }: { rule?: string; errors?: Record<string, unknown> } = {}) {
    const found = typeof given === 'number' ? refusalOf(given, rule) : given
    super(found.message)
    this.name = 'PartnerRefusal'
    this.refusal = found
    this.errors = errors
  }
}
