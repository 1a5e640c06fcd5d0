/** Errors of external accounts, by the service's codes. The status is 400 where the service documents none. */
import { ApiError } from './api-error.js'

type Known = Omit<ApiError['fields'], 'code'>

/** The codes and the statuses other than 400 are documented; the messages are the emulator's own. */
const knownErrors: Record<number, Known> = {
  530_000: known(
    'Provisional accounts are not enabled',
    'provisional accounts are not enabled for the application',
  ),
  530_001: known('The ID token is expired', 'the external token is expired'),
  530_002: known(
    'The ID token issuer is invalid',
    'the issuer of the external token is not the configured one',
  ),
  530_003: known(
    'The ID token audience is invalid',
    'the audience of the external token is not the configured one',
  ),
  530_004: known('The ID token was issued too long ago', 'the external token is older than a week'),
  530_006: known('A username could not be generated', 'no username could be made this time: ask again'),
  530_007: known('The client secret is invalid', 'the client secret is not the one of the application'),
  530_008: known('The OIDC configuration was not found', 'the issuer has no OIDC configuration'),
  530_009: known('The JWKS was not found', 'the issuer has no keys'),
  530_010: known(
    'The account is not provisional',
    'this identity belongs to a full account: the player signs in with that one',
  ),
  530_014: known(
    'The source account is not provisional',
    'only a provisional account can be merged into another one',
  ),
  530_016: known(
    'The destination account is provisional',
    'an account cannot be merged into a provisional one',
  ),
  530_017: known('The source account is banned', 'the provisional account is banned'),
  530_020: known('The OIDC token is invalid', 'the external token is none: here it looks like emu:<subject>'),
  530_023: known('The identity is already attached', 'this identity belongs to another full account'),
  530_027: known('The ID token has no kid', 'the external token names no key'),
  50_025: { ...known('Invalid OAuth2 access token', 'the token is not valid'), status: 403 },
  50_229: known(
    'Invalid user type',
    'the account of this identity is provisional: there is nothing to unmerge',
  ),
  10_013: { ...known('Unknown User', 'no account has this identity'), status: 404 },
  10_002: { ...known('Unknown Application', 'no application here has this id'), status: 404 },
  20_012: {
    ...known(
      'You are not authorized to perform this action on this application',
      'a child application cannot do this',
    ),
    status: 403,
  },
  50_109: known('The request body contains invalid JSON.', 'the body is no JSON object'),
}

function known(message: string, rule: string): Known {
  return { status: 400, message, rule }
}

/** @param rule replaces the usual rule of the code. */
export function accountError(code: number, rule?: string): ApiError {
  const fields = knownErrors[code] ?? known('Error', `code ${code}`)
  return new ApiError({ code, ...fields, ...(rule === undefined ? {} : { rule }) })
}

/** 423 while accounts are being merged; the service has no code for it. */
export function lockedError(): ApiError {
  return new ApiError({
    status: 423,
    code: 0,
    message: 'Locked',
    rule: 'the account is locked for a moment: ask again',
  })
}

/** @param errors the problems, field by field. */
export function invalidForm(rule: string, errors?: Record<string, unknown>): ApiError {
  return new ApiError({
    status: 400,
    code: 50_035,
    message: 'Invalid Form Body',
    rule,
    ...(errors === undefined ? {} : { errors }),
  })
}
