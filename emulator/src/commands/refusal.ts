/** An answer that refuses: the service's status, code and words, and beside them the rule in ours. */
import type { Context } from 'hono'
import { headerText } from '../oauth/header-text.js'
import { pathText, treeOf, type Fault } from './problems.js'

type Status = 400 | 401 | 403 | 404 | 405 | 413 | 429

interface Words {
  status: Status
  code: number
  message: string
  rule: string
  errors?: Record<string, unknown>
  /** Seconds. */
  retryAfter?: number
}

/** Thrown where the request turns out to be wrong, answered in one place. */
export class Refusal extends Error {
  readonly words: Words

  constructor(words: Words) {
    super(words.message)
    this.name = 'Refusal'
    this.words = words
  }
}

export function answerRefusal(c: Context, { words }: Refusal): Response {
  const { status, code, message, rule, errors, retryAfter } = words
  c.header('X-Emulator-Rule', headerText(rule))
  if (retryAfter === undefined) return c.json({ message, code, ...(errors === undefined ? {} : { errors }) }, status)
  c.header('Retry-After', String(Math.ceil(retryAfter)))
  return c.json({ message, code, retry_after: retryAfter, global: false }, status)
}

/** @throws Refusal that tells all of the faults, when there are any. */
export function refuseFaults(faults: readonly Fault[]): void {
  const [first] = faults
  if (first === undefined) return
  const where = first.path.length === 0 ? 'the body' : pathText(first.path)
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`
  throw new Refusal({
    status: 400,
    code: 50035,
    message: 'Invalid Form Body',
    rule: `${where} ${first.rule}${more}`,
    errors: treeOf(faults),
  })
}

export function unauthorized(rule: string): Refusal {
  return new Refusal({ status: 401, code: 0, message: '401: Unauthorized', rule })
}

export function missingScope(rule: string): Refusal {
  return new Refusal({ status: 403, code: 50026, message: 'Missing required OAuth2 scope', rule })
}

export function missingPermissions(rule: string): Refusal {
  return new Refusal({ status: 403, code: 50013, message: 'Missing Permissions', rule })
}

export function missingAccess(rule: string): Refusal {
  return new Refusal({ status: 403, code: 50001, message: 'Missing Access', rule })
}

export function unknownGuild(): Refusal {
  return new Refusal({ status: 404, code: 10004, message: 'Unknown Guild', rule: 'no guild has this id' })
}

export function unknownCommand(): Refusal {
  return new Refusal({ status: 404, code: 10063, message: 'Unknown application command', rule: 'no command of this place has this id' })
}

export function methodNotAllowed(rule: string): Refusal {
  return new Refusal({ status: 405, code: 0, message: '405: Method Not Allowed', rule })
}
