/** Validates lobbies before sending (docs/interface/lobbies.md). */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { Issue } from '../../shared/foundation/errors'
import { LobbyIssues } from '../../shared/lobbies/lobby-issues'
import { IDLE_TIMEOUT, MEMBERS } from '../../shared/lobbies/lobby-limits'
import { checkId, checkListed, checkMember, checkMetadata } from '../../shared/lobbies/check-member'

/**
 * Returns all issues of a lobby body. Without an issue of level `error`, the service accepts the body, as far as that depends on the body
 * alone. Accepts any value and never throws.
 */
export function validateLobby(body: unknown, operation: 'create' | 'edit'): Issue[] {
  return collect((issues) => {
    if (!isRecord(body)) return issues.add('', 'wrong_type', { expected: 'an object' })
    checkMetadata(issues, body['metadata'], 'metadata')
    const members = body['members']
    if (members !== undefined && members !== null) {
      checkMembers(issues, members, { path: 'members', check: checkListed })
      if (operation === 'edit') issues.add('members', 'replaces_members')
    }
    // As the player's client calls it.
    if ('idleTimeout' in body)
      issues.add('idleTimeout', 'wrong_type', { expected: 'written as idle_timeout_seconds, in seconds' })
    checkIdleTimeout(issues, body['idle_timeout_seconds'])
  })
}

/** Returns all issues of a member body (docs/interface/lobbies.md#backend-endpoints). Accepts any value and never throws. */
export function validateLobbyMember(body: unknown): Issue[] {
  return collect((issues) => {
    if (isRecord(body)) checkMember(issues, body, '')
    else issues.add('', 'wrong_type', { expected: 'an object' })
  })
}

/** Returns all issues of a bulk member update (docs/interface/lobbies.md#backend-endpoints). Accepts any value and never throws. */
export function validateLobbyMembers(list: unknown): Issue[] {
  return collect((issues) => {
    checkMembers(issues, list, { path: '', check: checkMember })
    if (!Array.isArray(list)) return
    if (list.length === 0) issues.add('', 'empty')
    for (const [index, each] of list.slice(0, MEMBERS).entries()) {
      const remove: unknown = isRecord(each) ? each['remove_member'] : undefined
      if (remove !== undefined && typeof remove !== 'boolean') {
        issues.add(`[${index}].remove_member`, 'wrong_type', { expected: 'true or false' })
      }
    }
  })
}

function collect(check: (issues: LobbyIssues) => void): Issue[] {
  const issues = new LobbyIssues()
  try {
    check(issues)
  } catch {
    // A getter or proxy threw. Its message may contain anything, so it is not repeated.
    issues.add('', 'unreadable')
  }
  return issues.list
}

interface Members {
  readonly path: string
  readonly check: typeof checkListed
}

function checkMembers(issues: LobbyIssues, list: unknown, { path, check }: Members): void {
  if (!Array.isArray(list)) return issues.add(path, 'wrong_type', { expected: 'a list' })
  if (list.length > MEMBERS) issues.add(path, 'too_many', { max: MEMBERS, actual: list.length })
  const seen = new Map<unknown, number>()
  for (let index = 0; index < list.length && index < MEMBERS; index++) {
    const at = `${path}[${index}]`
    const member: unknown = list[index]
    if (!isRecord(member)) {
      issues.add(at, 'wrong_type', { expected: 'an object' })
      continue
    }
    const { id } = member
    const first = seen.get(id)
    if (!checkId(issues, id, `${at}.id`)) continue
    if (first === undefined) seen.set(id, index)
    else issues.add(`${at}.id`, 'duplicate', { first })
    check(issues, member, at)
  }
}

function checkIdleTimeout(issues: LobbyIssues, value: unknown): void {
  if (value === undefined || value === null) return
  if (!Number.isInteger(value))
    issues.add('idle_timeout_seconds', 'wrong_type', { expected: 'a whole number' })
  else if (Number(value) < IDLE_TIMEOUT.min || Number(value) > IDLE_TIMEOUT.max) {
    issues.add('idle_timeout_seconds', 'out_of_range', { ...IDLE_TIMEOUT, unit: ' seconds' })
  }
}
