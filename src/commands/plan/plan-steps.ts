/** What a plan is made of. */
import type { Issue } from '../../foundation/errors'
import type { ApplicationCommand, CommandEditBody, CommandOverwriteBody } from '../../wire/command'
import type { Field } from './normalize'

export interface CreateStep {
  action: 'create'
  command: CommandOverwriteBody
}

export interface UpdateStep {
  action: 'update'
  existing: ApplicationCommand
  /** The fields that differ, with the values that are wanted. */
  changes: CommandEditBody
  fields: readonly Field[]
}

export interface DeleteStep {
  action: 'delete'
  existing: ApplicationCommand
}

export type PlanStep = CreateStep | UpdateStep | DeleteStep

/** What a sync would do. */
export interface CommandPlan {
  scope: 'global' | 'guild'
  /** In the order in which they are safe one by one. */
  steps: readonly PlanStep[]
  /** What stays as it is; an entry point that the wanted list does not name is among it. */
  keeps: readonly ApplicationCommand[]
  /** Of the checks, and of permissions that a rename or a delete destroys. */
  warnings: readonly Issue[]
  /** How many of the creates of one day it takes (S:352). */
  budget: { creates: number; limit: number }
  /** The whole list that does the same in one request. */
  overwrite: readonly CommandOverwriteBody[]
  /** For people. */
  toString(): string
}
