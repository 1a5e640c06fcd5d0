/** Changes single keys of a lobby's metadata, though the service only replaces the whole: one writer at a time, and a look afterwards. */
import { ConfigurationError } from '../foundation/errors'
import type { Lobby, LobbyMetadata } from '../wire/lobby'

/** Keys to set, and, with null, keys to remove. What is not named stays. */
export type MetadataChanges = Readonly<Record<string, string | null>>

/** Gets a copy of the metadata as it is now; empty where there is none. */
export type ChangeMetadata = (metadata: Record<string, string>) => MetadataChanges | Promise<MetadataChanges>

/** What is needed of a lobby. */
export interface MetadataAccess {
  readonly read: () => Promise<Lobby>
  readonly write: (metadata: LobbyMetadata) => Promise<Lobby>
}

/** Where another writer comes between each time. */
const ATTEMPTS = 3

/** @throws ConfigurationError `contended`. @throws whatever `change` and the desk throw. */
export async function updateMetadata({ read, write }: MetadataAccess, change: ChangeMetadata): Promise<Lobby> {
  let lobby = await read()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const changes = await change(Object.fromEntries(entriesOf(lobby)))
    if (holds(changes, lobby)) return lobby
    await write(merge(lobby, changes))
    lobby = await read()
    if (holds(changes, lobby)) return lobby
  }
  throw new ConfigurationError('contended', 'metadata', { retryable: true })
}

const entriesOf = ({ metadata }: Lobby): [string, string][] => Object.entries(metadata ?? {})

/** Not by assignment: a key may be `__proto__`. */
function merge(lobby: Lobby, changes: MetadataChanges): LobbyMetadata {
  const merged = new Map<string, string>(entriesOf(lobby))
  for (const [key, text] of Object.entries(changes)) {
    if (text === null) merged.delete(key)
    else merged.set(key, text)
  }
  return Object.fromEntries(merged)
}

/** Whether a lobby has everything that was to be changed. */
function holds(changes: MetadataChanges, lobby: Lobby): boolean {
  const now = new Map(entriesOf(lobby))
  return Object.entries(changes).every(([key, text]) => (text === null ? !now.has(key) : now.get(key) === text))
}
