/** Types of a command plan. */
import type { Issue } from '../../../shared/foundation/errors'
import type { ApplicationCommand, CommandEditBody, CommandOverwriteBody } from '../../../shared/wire/command'
import type { Field } from './differing-fields'

/** Creation of a command. */
export interface CreateStep {
  /** Kind of the step. */
  action: 'create'
  /** Command to create. */
  command: CommandOverwriteBody
}

/** Change of an existing command. */
export interface UpdateStep {
  /** Kind of the step. */
  action: 'update'
  /** Command before the change. */
  existing: ApplicationCommand
  /** Changed fields with their desired values. */
  changes: CommandEditBody
  /** Names of the changed fields. */
  fields: readonly Field[]
}

/** Deletion of a command and its permissions. */
export interface DeleteStep {
  /** Kind of the step. */
  action: 'delete'
  /** Command to delete. */
  existing: ApplicationCommand
}

/** Step of a plan. */
export type PlanStep = CreateStep | UpdateStep | DeleteStep

/** Result of `plan`: the changes that a sync would make. */
export interface CommandPlan {
  /** Scope of the commands. */
  scope: 'global' | 'guild'
  /** Steps in an order in which each one is possible. */
  steps: readonly PlanStep[]
  /** Unchanged commands, including an entry point that the desired list omits. */
  keeps: readonly ApplicationCommand[]
  /** Warnings of the validation, and about permissions lost by renames and deletions. */
  warnings: readonly Issue[]
  /** Number of creates, and the daily limit (docs/interface/commands.md#daily-creates). */
  budget: { creates: number; limit: number }
  /** Equivalent list for a single overwrite request. */
  overwrite: readonly CommandOverwriteBody[]
  /** Returns a human-readable description. */
  toString(): string
}
