/** Maps error responses of the REST API to `ApiError`: a stable code, and the tree of faults as a flat list (docs/interface/errors.md). */
import { cleanText } from '../foundation/error-text'
import { isRecord } from '../foundation/untrusted-values'
import { ApiError, type ApiErrorCode, type Issue } from '../foundation/errors'
import { NO_SERVICE, ruleOf } from '../foundation/oauth-errors'
import type { ErrorLeaf, ErrorResponse } from '../wire/error-response'

/**
 * Codes for the service's error numbers (docs/interface/errors.md#numbers; 50229 and those of six digits:
 * docs/interface/accounts.md#error-numbers).
 */
const CODES: ReadonlyMap<unknown, ApiErrorCode> = new Map<unknown, ApiErrorCode>([
  [10_002, 'unknown_application'],
  [10_003, 'unknown_channel'],
  [10_004, 'unknown_guild'],
  [10_013, 'unknown_user'],
  [10_031, 'unknown_lobby'],
  [10_063, 'unknown_command'],
  [10_066, 'unknown_command_permissions'],
  [20_001, 'user_required'],
  [20_012, 'application_not_authorized'],
  [30_032, 'too_many_commands'],
  [30_034, 'daily_creates_used_up'],
  [40_001, 'unauthorized'],
  [40_041, 'name_taken'],
  [50_001, 'missing_access'],
  [50_006, 'empty_message'],
  [50_013, 'missing_permission'],
  [50_024, 'wrong_channel_type'],
  [50_025, 'invalid_token'],
  [50_026, 'missing_scope'],
  [50_035, 'invalid_body'],
  [50_229, 'account_provisional'],
  [50_240, 'entry_point_dropped'],
  [530_000, 'provisional_accounts_disabled'],
  [530_001, 'external_token_expired'],
  [530_002, 'external_issuer_mismatch'],
  [530_003, 'external_audience_mismatch'],
  [530_004, 'external_token_too_old'],
  [530_006, 'username_not_generated'],
  [530_007, 'wrong_client_secret'],
  [530_008, 'external_configuration_missing'],
  [530_009, 'external_keys_missing'],
  [530_010, 'account_not_provisional'],
  [530_014, 'source_not_provisional'],
  [530_016, 'destination_provisional'],
  [530_017, 'source_banned'],
  [530_020, 'invalid_external_token'],
  [530_023, 'identity_already_attached'],
  [530_027, 'external_key_id_missing'],
])

/** Maximum depth of the tree. No request body is nested deeper. */
const DEPTH = 32
/** Maximum number of issues in an error. */
const MAX_ISSUES = 100
/** Maximum length of a path and of a message, in characters. */
const MAX_TEXT = 200

const UNAUTHORIZED = 'The service rejected the credential: check the bot token, client secret or access token'

/** Status while two accounts are being merged; it comes without an error number (docs/interface/accounts.md#error-numbers). */
const LOCKED = 423
/** Retryable: the service generates another random name the next time. */
const USERNAME_NOT_GENERATED = 530_006

export interface ErrorContext {
  status: number
  body: unknown
  /** A method and a route, never a full URL. */
  route: string
  emulatorRule?: string | null | undefined
}

export function apiError({ status, body, route, emulatorRule }: ErrorContext): ApiError {
  const { code, errors }: ErrorResponse = isRecord(body) ? body : {}
  const issues = flatten(errors)
  return new ApiError(CODES.get(code) ?? (status === LOCKED ? 'account_locked' : `http_${status}`), route, {
    status,
    remedy: status === 401 ? UNAUTHORIZED : status === 404 && !isRecord(body) ? NO_SERVICE : '',
    ...ruleOf(emulatorRule),
    ...((status === LOCKED || code === USERNAME_NOT_GENERATED) && { retryable: true }),
    ...(typeof code === 'number' && { apiCode: code }),
    ...(issues.length > 0 && { issues }),
  })
}

/** Collects every `_errors` list of the tree with its path. */
function flatten(tree: unknown): Issue[] {
  const issues: Issue[] = []
  walk(tree, { path: '', dictionary: false, depth: 0, issues })
  return issues
}

interface Walk {
  readonly path: string
  /** True if the keys at this level are dictionary keys instead of field names. */
  readonly dictionary: boolean
  readonly depth: number
  readonly issues: Issue[]
}

function walk(node: unknown, { path, dictionary, depth, issues }: Walk): void {
  if (!isRecord(node) || depth > DEPTH || issues.length >= MAX_ISSUES) return
  for (const [key, value] of Object.entries(node)) {
    if (key === '_errors') {
      if (Array.isArray(value))
        issues.push(...value.slice(0, MAX_ISSUES - issues.length).map((leaf: unknown) => toIssue(leaf, path)))
      continue
    }
    const step = dictionary
      ? `['${key.replace(/['\\]/g, '\\$&')}']`
      : /^\d+$/.test(key)
        ? `[${key}]`
        : `${path && '.'}${key}`
    walk(value, {
      path: path + step,
      dictionary: /(?:_localizations|^metadata)$/.test(key),
      depth: depth + 1,
      issues,
    })
  }
}

function toIssue(leaf: unknown, path: string): Issue {
  const { code, message }: ErrorLeaf = isRecord(leaf) ? leaf : {}
  return {
    path: cleanText(path, MAX_TEXT),
    code: typeof code === 'string' ? cleanText(code, 64) : 'unknown',
    message: typeof message === 'string' ? cleanText(message, MAX_TEXT) : '',
    params: {},
    level: 'error',
  }
}
