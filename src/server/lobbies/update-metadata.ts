/** Updates single metadata keys, although the service only replaces all: exclusive among writers, verified afterwards. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { requireFunction } from '../../shared/foundation/take-options'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { Lobby, LobbyMetadata } from '../../shared/wire/lobby'

/** Keys to set, and, with null, keys to remove. Other keys stay. */
export type MetadataChanges = Readonly<Record<string, string | null>>

/** Receives a copy of the current metadata, empty if there is none, and returns the changes. */
export type ChangeMetadata = (metadata: Record<string, string>) => MetadataChanges | Promise<MetadataChanges>

/** Access to one lobby. */
export interface MetadataAccess {
  readonly read: () => Promise<Lobby>
  readonly write: (metadata: LobbyMetadata) => Promise<Lobby>
}

/** Maximum number of attempts against interfering writers. */
const ATTEMPTS = 3

/** @throws ConfigurationError `contended`. @throws the errors of `change`, `read` and `write`. */
export async function updateMetadata(
  { read, write }: MetadataAccess,
  change: ChangeMetadata,
): Promise<Lobby> {
  let lobby = await read()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const changes = requireChanges(await change(Object.fromEntries(entriesOf(lobby))))
    if (holds(changes, lobby)) return lobby
    await write(merge(lobby, changes))
    lobby = await read()
    if (holds(changes, lobby)) return lobby
  }
  throw new ConfigurationError('contended', 'metadata', { retryable: true })
}

const EXAMPLE = "Write ({ round }) => ({ round: '2' }), with parentheses around the object that it returns"

/** @throws ConfigurationError `invalid_argument`. */
export const requireChange = (change: unknown): void =>
  requireFunction(change, 'updateMetadata: change', EXAMPLE)

function requireChanges(changes: unknown): MetadataChanges {
  if (isChanges(changes)) return changes
  throw new ConfigurationError('invalid_argument', 'updateMetadata: change returned no object', {
    remedy: EXAMPLE,
  })
}

/** Its values are checked before they are sent. */
const isChanges = (value: unknown): value is MetadataChanges => isRecord(value) && !Array.isArray(value)

const entriesOf = ({ metadata }: Lobby): [string, string][] => Object.entries(metadata ?? {})

/** Avoids assignment, because a key may be `__proto__`. */
function merge(lobby: Lobby, changes: MetadataChanges): LobbyMetadata {
  const merged = new Map<string, string>(entriesOf(lobby))
  for (const [key, text] of Object.entries(changes)) {
    if (text === null) merged.delete(key)
    else merged.set(key, text)
  }
  return Object.fromEntries(merged)
}

/** Returns true if the lobby contains all changes. */
function holds(changes: MetadataChanges, lobby: Lobby): boolean {
  const now = new Map(entriesOf(lobby))
  return Object.entries(changes).every(([key, text]) =>
    text === null ? !now.has(key) : now.get(key) === text,
  )
}
