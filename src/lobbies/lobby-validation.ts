/** Tells everything that is wrong with a lobby before the service does (S:182-188, S:257-266, S:362-364). */
import { isRecord } from '../foundation/encoding'
import type { Issue } from '../foundation/errors'
import { LobbyIssues } from './lobby-issue'
import { IDLE_TIMEOUT, MEMBERS } from './lobby-limits'
import { checkId, checkListed, checkMember, checkMetadata } from './member-fields'

/**
 * Every issue of a lobby's body at once; none of level `error` means that the service accepts it, as far as a body can tell.
 * Takes anything at all and never throws.
 */
export function validateLobby(body: unknown, operation: 'create' | 'edit'): Issue[] {
  return collect((issues) => {
    if (!isRecord(body)) return issues.note('', 'wrong_type', { expected: 'an object' })
    checkMetadata(issues, body['metadata'], 'metadata')
    const members = body['members']
    if (members !== undefined && members !== null) {
      checkMembers(issues, members, { path: 'members', check: checkListed })
      if (operation === 'edit') issues.note('members', 'replaces_members')
    }
    checkIdleTimeout(issues, body['idle_timeout_seconds'])
  })
}

/** Every issue of what is set of one member (S:265). Takes anything at all and never throws. */
export function validateLobbyMember(body: unknown): Issue[] {
  return collect((issues) => {
    if (isRecord(body)) checkMember(issues, body, '')
    else issues.note('', 'wrong_type', { expected: 'an object' })
  })
}

/** Every issue of a bulk update of members (supplement A.2.2). Takes anything at all and never throws. */
export function validateLobbyMembers(list: unknown): Issue[] {
  return collect((issues) => {
    checkMembers(issues, list, { path: '', check: checkMember })
    if (!Array.isArray(list)) return
    if (list.length === 0) issues.note('', 'empty')
    for (const [index, each] of list.slice(0, MEMBERS).entries()) {
      const remove: unknown = isRecord(each) ? each['remove_member'] : undefined
      if (remove !== undefined && typeof remove !== 'boolean') {
        issues.note(`[${index}].remove_member`, 'wrong_type', { expected: 'true or false' })
      }
    }
  })
}

function collect(check: (issues: LobbyIssues) => void): Issue[] {
  const issues = new LobbyIssues()
  try {
    check(issues)
  } catch {
    // A getter or a proxy threw. Its words may be anyone's, so they are not repeated.
    issues.note('', 'unreadable')
  }
  return issues.list
}

interface Members {
  readonly path: string
  readonly check: typeof checkListed
}

function checkMembers(issues: LobbyIssues, list: unknown, { path, check }: Members): void {
  if (!Array.isArray(list)) return issues.note(path, 'wrong_type', { expected: 'a list' })
  if (list.length > MEMBERS) issues.note(path, 'too_many', { max: MEMBERS, actual: list.length })
  const seen = new Map<unknown, number>()
  for (let index = 0; index < list.length && index < MEMBERS; index++) {
    const at = `${path}[${index}]`
    const member: unknown = list[index]
    if (!isRecord(member)) {
      issues.note(at, 'wrong_type', { expected: 'an object' })
      continue
    }
    const { id } = member
    const first = seen.get(id)
    if (!checkId(issues, id, `${at}.id`)) continue
    if (first === undefined) seen.set(id, index)
    else issues.note(`${at}.id`, 'duplicate', { first })
    check(issues, member, at)
  }
}

function checkIdleTimeout(issues: LobbyIssues, value: unknown): void {
  if (value === undefined || value === null) return
  if (!Number.isInteger(value)) issues.note('idle_timeout_seconds', 'wrong_type', { expected: 'a whole number' })
  else if (Number(value) < IDLE_TIMEOUT.min || Number(value) > IDLE_TIMEOUT.max) {
    issues.note('idle_timeout_seconds', 'out_of_range', IDLE_TIMEOUT)
  }
}
