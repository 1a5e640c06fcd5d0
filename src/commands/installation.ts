/** Checks where a command is available: ways to install and contexts (S:121-136). */
import type { CommandBody, CommandRules } from './command-rules'
import type { Place } from './place'

const USER_INSTALL = 1
const BOT_DM = 1
const PRIVATE_CHANNEL = 2
/** Far more values than there are. */
const VALUES = 100

/** Values other than 0 and 1 are not shown (S:128), so they are only warned of. */
export function checkIntegrationTypes(types: unknown, { application }: CommandRules, place: Place): void {
  const supported = application?.integrationTypes
  for (const [index, value] of readNumbers(notEmpty(types, 'integration_types', place), 'integration_types', place)) {
    const field = `integration_types[${index}]`
    if (value < 0) place.note('unknown_value', field, { allowed: [0, USER_INSTALL] })
    else if (supported && !supported.includes(value)) place.note('not_installable', field, { allowed: supported })
    else if (value > USER_INSTALL) place.note('unknown_integration_type', field)
  }
}

export function checkContexts(body: CommandBody, { guild, application }: CommandRules, place: Place): void {
  const { contexts, dm_permission: inMessages } = body
  if (contexts === null) return
  const values = readNumbers(notEmpty(contexts, 'contexts', place), 'contexts', place)
  for (const [index, value] of values) {
    if (value < 0 || value > PRIVATE_CHANNEL) place.note('unknown_value', `contexts[${index}]`, { allowed: [0, BOT_DM, PRIVATE_CHANNEL] })
  }
  // In a guild's list they have no effect anyway.
  if (guild || values.size === 0) return
  const has = (context: number) => [...values.values()].includes(context)
  if (typeof inMessages === 'boolean' && inMessages !== has(BOT_DM)) place.note('contradicts_contexts', 'dm_permission')
  const types: unknown = body.integration_types ?? application?.integrationTypes
  if (has(PRIVATE_CHANNEL) && Array.isArray(types) && !types.includes(USER_INSTALL)) place.note('needs_user_install', 'contexts')
}

/** The whole numbers of a list by their indexes; everything that is none, and everything that stands there twice, is noted. */
export function readNumbers(list: unknown, field: string, place: Place): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const values = place.list(list, field, VALUES)
  for (const [index, value] of values.entries()) {
    const at = `${field}[${index}]`
    const first = values.indexOf(value)
    if (typeof value !== 'number' || !Number.isInteger(value)) place.wrong('a whole number', at)
    else if (first < index) place.note('duplicate', at, { first })
    else found.set(index, value)
  }
  return found
}

function notEmpty(list: unknown, field: string, place: Place): unknown {
  if (Array.isArray(list) && list.length === 0) place.note('empty', field)
  return list
}
