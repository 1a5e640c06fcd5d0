/** Compares desired and existing commands and computes the required steps in order. Pure. */
import type { Issue } from '../../../shared/foundation/errors'
import { IssueList, Place } from '../../../shared/foundation/rules'
import type { ApplicationCommand, CommandEditBody, CommandOverwriteBody } from '../../../shared/wire/command'
import { COMMANDS_PER_SCOPE, CREATES_PER_DAY } from '../validation/command-limits'
import { FIELDS, differingFields, isCompared, wantedValue } from './differing-fields'
import type { CommandPlan, CreateStep, DeleteStep, PlanStep, UpdateStep } from './command-plan'
import { printPlan } from './print-plan'

export interface PlanOptions {
  scope: 'global' | 'guild'
  warnings?: readonly Issue[]
}

const ENTRY_POINT = 4

/** Opens the Activity. */
export const isEntryPoint = ({ type }: Pick<CommandOverwriteBody, 'type'>): boolean => type === ENTRY_POINT

/** `desired` must have passed `validateCommands`; `existing` is a list with localizations. */
export function planCommands(
  desired: readonly CommandOverwriteBody[],
  existing: readonly ApplicationCommand[],
  { scope, warnings = [] }: PlanOptions,
): CommandPlan {
  const matches = match(desired, existing)
  const used = new Set(matches.values())
  const unnamed = existing.filter((command) => !used.has(command))
  const deletes = unnamed
    .filter((command) => !isEntryPoint(command))
    .map((command): DeleteStep => ({ action: 'delete', existing: command }))
  const creates = desired
    .filter((command) => !matches.has(command))
    .map((command): CreateStep => ({ action: 'create', command: asCreate(command) }))
  const updates = [...matches].map(([command, old]) => updateOf(command, old, scope))
  const changed = updates.filter(({ fields }) => fields.length > 0)
  const plan: Omit<CommandPlan, 'toString'> = {
    scope,
    steps: orderSteps({ deletes, updates: orderRenames(changed), creates }, existing, scope),
    keeps: [
      ...updates.filter(({ fields }) => fields.length === 0).map((update) => update.existing),
      ...unnamed.filter(isEntryPoint),
    ],
    warnings: [...warnings, ...losses(desired, { matches, deletes })],
    budget: { creates: creates.length, limit: CREATES_PER_DAY },
    overwrite: [
      ...desired.map((command) => element(command, matches.get(command), scope)),
      ...unnamed.filter(isEntryPoint).map(asUnchanged),
    ],
  }
  return { ...plan, toString: () => printPlan(plan) }
}

type Matches = ReadonlyMap<CommandOverwriteBody, ApplicationCommand>

/** Matches by id, then by type and name. The single entry point matches by type alone. */
function match(desired: readonly CommandOverwriteBody[], existing: readonly ApplicationCommand[]): Matches {
  const matches = new Map<CommandOverwriteBody, ApplicationCommand>()
  const free = new Set(existing)
  const take = (fits: (command: CommandOverwriteBody, old: ApplicationCommand) => boolean) => {
    for (const command of desired) {
      const found = matches.has(command)
        ? undefined
        : [...free].find((old) => old.type === (command.type ?? 1) && fits(command, old))
      if (found && free.delete(found)) matches.set(command, found)
    }
  }
  take(({ id }, old) => id === old.id)
  take(({ name }, old) => name === old.name)
  take((_, { type }) => type === ENTRY_POINT)
  return matches
}

function updateOf(
  command: CommandOverwriteBody,
  existing: ApplicationCommand,
  scope: 'global' | 'guild',
): UpdateStep {
  const fields = differingFields(command, existing, scope)
  const changes: CommandEditBody = Object.fromEntries(
    fields.map((field) => [field, wantedValue(field, command)]),
  )
  return { action: 'update', existing, changes, fields }
}

interface Steps {
  readonly deletes: readonly DeleteStep[]
  readonly updates: readonly UpdateStep[]
  readonly creates: readonly CreateStep[]
}

/**
 * Orders renames so that each name is free when needed. A cycle is broken by renaming one command temporarily to its own id, which no other
 * command has as a name.
 */
function orderRenames(updates: readonly UpdateStep[]): UpdateStep[] {
  const waiting = [...updates]
  const ordered: UpdateStep[] = []
  for (let [first] = waiting; first; [first] = waiting) {
    const held = new Set(waiting.map(({ existing: { type, name } }) => `${type} ${name}`))
    const next = waiting.findIndex(
      ({ existing: { type }, changes: { name } }) => name === undefined || !held.has(`${type} ${name}`),
    )
    if (next >= 0) ordered.push(...waiting.splice(next, 1))
    else {
      const name = first.existing.id
      ordered.push({ ...first, changes: { name }, fields: ['name'] })
      waiting[0] = { ...first, existing: { ...first.existing, name } }
    }
  }
  return ordered
}

/** Deletes last, so that players always have commands; first if their capacity or names are needed. */
function orderSteps(
  { deletes, updates, creates }: Steps,
  existing: readonly ApplicationCommand[],
  scope: 'global' | 'guild',
): PlanStep[] {
  const limits: Readonly<Record<number, number>> = COMMANDS_PER_SCOPE[scope]
  const full = creates.some(({ command: { type = 1 } }) => {
    const wanted = creates.filter((each) => (each.command.type ?? 1) === type).length
    return existing.filter((old) => old.type === type).length + wanted > (limits[type] ?? 0)
  })
  const freed = new Set(deletes.map(({ existing: { type, name } }) => `${type} ${name}`))
  const taken = updates.some(
    ({ existing: { type }, changes: { name } }) => name !== undefined && freed.has(`${type} ${name}`),
  )
  return full || taken ? [...deletes, ...updates, ...creates] : [...updates, ...creates, ...deletes]
}

/** Texts of the warnings. */
const LOSSES = {
  rename_loses_permissions: '“{from}” loses its permissions for good when it is renamed',
  delete_loses_permissions: '“{name}” loses its permissions for good when it is deleted',
} as const

/** Deleting or renaming a command deletes its permissions permanently (docs/interface/command-permissions.md#rules). */
function losses(
  desired: readonly CommandOverwriteBody[],
  { matches, deletes }: { matches: Matches; deletes: readonly DeleteStep[] },
): Issue[] {
  const at = new Place(new IssueList(LOSSES, Object.keys(LOSSES)))
  for (const [index, command] of desired.entries()) {
    const old = matches.get(command)
    if (old && old.name !== command.name)
      at.element(index)
        .field('name')
        .add('rename_loses_permissions', { from: old.name, to: command.name, id: old.id })
  }
  for (const { existing } of deletes) {
    const { name, type, id } = existing
    at.add('delete_loses_permissions', { name, type, id })
  }
  return at.state.issues
}

/**
 * Converts a command for the overwrite list: with the id of the command it replaces, and with the fields that the plan leaves unchanged.
 */
function element(
  command: CommandOverwriteBody,
  old: ApplicationCommand | undefined,
  scope: 'global' | 'guild',
): CommandOverwriteBody {
  if (!old) return withoutId(command)
  const left = FIELDS.filter(
    (field) => scope === 'global' && !isCompared(field, command, scope) && old[field] !== undefined,
  )
  return { ...command, ...Object.fromEntries(left.map((field) => [field, old[field]])), id: old.id }
}

/** Removes an id that matches no command. */
function withoutId(command: CommandOverwriteBody): CommandOverwriteBody {
  const { id, ...rest } = command
  return id === undefined ? command : rest
}

/**
 * Converts a command for a POST: without the empty description of USER and MESSAGE commands, which only a list may contain
 * (docs/interface/commands.md#command, docs/interface/commands.md#names).
 */
function asCreate(command: CommandOverwriteBody): CommandOverwriteBody {
  const body = withoutId(command)
  const { description, ...rest } = body
  return description === '' ? rest : body
}

/** Converts an existing command for the overwrite list, so that it is preserved. */
function asUnchanged(command: ApplicationCommand): CommandOverwriteBody {
  const given = FIELDS.filter((field) => command[field] !== undefined)
  return {
    ...Object.fromEntries(given.map((field) => [field, command[field]])),
    id: command.id,
    type: command.type,
    name: command.name,
  }
}
