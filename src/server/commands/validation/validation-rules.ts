/** Validation options and unvalidated command bodies. */
import type { CommandOverwriteBody } from '../../../shared/wire/command'
import { isRecord } from '../../../shared/foundation/untrusted-values'

/** Object with unvalidated fields. */
export type Unread<Field extends PropertyKey> = Readonly<Partial<Record<Field, unknown>>>

/** True for an object. Its fields are named, so that a wrong name is found when this is compiled. */
export function isObject<Field extends PropertyKey>(value: unknown): value is Unread<Field> {
  return isRecord(value)
}

/** Options of a validation. Absent `application` fields are not checked. */
export interface ValidateCommandOptions {
  /** Scope of the command. Default: `global`. */
  scope?: 'global' | 'guild' | undefined
  /**
   * `create`: a new command. `edit`: absent fields stay unchanged. `overwrite`: element of a list that replaces all commands. Default:
   * `create`, and `overwrite` in a list.
   */
  operation?: 'create' | 'edit' | 'overwrite' | undefined
  /** Type of the edited command. Without it, only rules that apply to all types are checked. */
  knownType?: number | undefined
  /** Known properties of the application. */
  application?:
    | {
        /** True if the application has an Activity. */
        embedded?: boolean | undefined
        /** Supported installation types. */
        integrationTypes?: readonly number[] | undefined
        /** True if players can discover the application. */
        discoverable?: boolean | undefined
      }
    | undefined
}

/** Options with their defaults. */
export interface ValidationRules {
  readonly scope: 'global' | 'guild'
  readonly operation: 'create' | 'edit' | 'overwrite'
  readonly knownType: ValidateCommandOptions['knownType'] | undefined
  readonly application: ValidateCommandOptions['application'] | undefined
}

/** Completes options; `otherwise` is the default operation. Accepts null, which a caller without types may pass. */
export function withDefaults(
  options: ValidateCommandOptions | null,
  otherwise: ValidationRules['operation'],
): ValidationRules {
  // Written out, which is faster than a spread.
  const {
    scope = 'global',
    operation = otherwise,
    knownType,
    application,
  }: ValidateCommandOptions = options ?? {}
  return { scope, operation, knownType, application }
}

export type CommandBody = Unread<keyof CommandOverwriteBody>
