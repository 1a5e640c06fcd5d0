/** Validation options and unvalidated command bodies. */
import type { CommandOverwriteBody } from '../../wire/command'
import type { Unread } from './validation-context'

/** Options of a validation. Absent `application` fields are not checked. */
export interface ValidateCommandOptions {
  /** Scope of the command. Default: `global`. */
  scope?: 'global' | 'guild'
  /**
   * `create`: a new command. `edit`: absent fields stay unchanged. `overwrite`: element of a list that replaces all commands. Default:
   * `create`, and `overwrite` in a list.
   */
  operation?: 'create' | 'edit' | 'overwrite'
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

/** Options with their defaults. */
export interface ValidationRules extends Required<Pick<ValidateCommandOptions, 'scope' | 'operation'>> {
  readonly knownType: ValidateCommandOptions['knownType'] | undefined
  readonly application: ValidateCommandOptions['application'] | undefined
}

/** Completes options; `otherwise` is the default operation. Accepts null, which a caller without types may pass. */
export function withDefaults(options: ValidateCommandOptions | null, otherwise: ValidationRules['operation']): ValidationRules {
  // Written out, which is faster than a spread.
  const { scope = 'global', operation = otherwise, knownType, application }: ValidateCommandOptions = options ?? {}
  return { scope, operation, knownType, application }
}

export type CommandBody = Unread<keyof CommandOverwriteBody>
