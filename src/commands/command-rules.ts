/** What a command is checked against, and what it looks like before it was. */
import type { CommandOverwriteBody } from '../wire/command'
import type { Unread } from './place'

/** Which rules hold for a body. */
export interface CommandRules {
  readonly guild: boolean
  readonly operation: 'create' | 'edit' | 'overwrite'
  readonly knownType: number | undefined
  readonly application: { embedded?: boolean; integrationTypes?: readonly number[]; discoverable?: boolean } | undefined
}

export type CommandBody = Unread<keyof CommandOverwriteBody>
