/** Human-readable plan, one line per step. */
import { requireRecord } from '../../../shared/foundation/options'
import type { CommandPlan, PlanStep } from './command-plan'

const TYPES: Readonly<Record<number, string>> = { 2: 'user command', 3: 'message command', 4: 'entry point' }

/** Starts with the totals and ends with the daily budget; names are formatted as players see them. */
export function printPlan({ scope, steps, keeps, warnings, budget }: Omit<CommandPlan, 'toString'>): string {
  const count = (action: PlanStep['action']) => steps.filter((step) => step.action === action).length
  const where = scope === 'global' ? 'Global commands' : 'Commands of the guild'
  return [
    `${where}: ${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete, ${keeps.length} unchanged.`,
    ...steps.map(printStep),
    ...warnings.map(({ path, message }) => `! ${path && `${path} `}${message}`),
    `Creates: ${budget.creates} of ${budget.limit} a day.`,
  ].join('\n')
}

/**
 * Returns a human-readable line for one step of a plan.
 *
 * @throws ConfigurationError `invalid_argument` unless `step` is a step of a plan.
 */
export function printStep(step: PlanStep): string {
  requireRecord(step, 'step')
  requireRecord(step.action === 'create' ? step.command : step.existing, 'step')
  if (step.action === 'create') return `+ create ${title(step.command)}`
  if (step.action === 'delete') return `- delete ${title(step.existing)}`
  const to = step.changes.name === undefined ? '' : ` → ${step.changes.name}`
  return `~ update ${title(step.existing)}${to}: ${step.fields.join(', ')}`
}

function title({ type = 1, name }: { type?: number | undefined; name: string }): string {
  return type === 1 ? `/${name}` : `${name} (${TYPES[type] ?? 'command'})`
}
