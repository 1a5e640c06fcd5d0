/** Validation options and unvalidated command bodies. */
import type { CommandOverwriteBody } from '../../wire/command'
import type { Unread } from './validation-context'

/** Options of a validation. Absent `application` fields are not checked. */
export interface ValidateCommandOptions {
  /** Scope of the command. */
  scope: 'global' | 'guild'
  /** `create`: a new command. `edit`: absent fields stay unchanged. `overwrite`: element of a list that replaces all commands. */
  operation: 'create' | 'edit' | 'overwrite'
  /** Type of the edited command. Without it, only rules that apply to all types are checked. */
  knownType?: number
  /** Known properties of the application. */
  application?: {
    /** True if the application has an Activity. */
    embedded?: boolean
    /** Supported installation types. */
    integrationTypes?: readonly number[]
    /** True if players can discover the application. */
    discoverable?: boolean
  }
}

export type CommandBody = Unread<keyof CommandOverwriteBody>
