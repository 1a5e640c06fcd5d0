/** What a command is checked against, and what it looks like before it was. */
import type { CommandOverwriteBody } from '../../wire/command'
import type { Unread } from './validation-context'

/** What a command is checked for. What is left out of `application` is not checked. */
export interface ValidateCommandOptions {
  scope: 'global' | 'guild'
  /** `edit`: what is absent stays as it is. `overwrite`: an element of a list that replaces all commands. */
  operation: 'create' | 'edit' | 'overwrite'
  /** Of an edit: the type of the command that is edited. Without it only what holds for every type is checked. */
  knownType?: number
  application?: {
    /** Whether the application has an Activity. */
    embedded?: boolean
    /** The ways in which it can be installed. */
    integrationTypes?: readonly number[]
    /** Whether players can discover it. */
    discoverable?: boolean
  }
}

export type CommandBody = Unread<keyof CommandOverwriteBody>
