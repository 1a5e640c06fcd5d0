/** Names of metadata keys in the types of a client. */
import type { Metadata } from './lobby-state'

/** Keys of a game's metadata, for `new Client<{ lobby: 'map' | 'round'; member: 'team' }>(…)`. Default: any key. */
export interface MetadataKeys {
  /** Keys of a lobby's metadata. */
  lobby?: string
  /** Keys of a member's metadata. */
  member?: string
}

/** Metadata with these keys only; any of them may be absent. */
export type Keyed<Key extends string | undefined> = string extends Key
  ? Metadata
  : { readonly [Name in Extract<Key, string>]?: string }

/** Keys of one kind. */
export type KeysOf<Keys extends MetadataKeys, Kind extends keyof MetadataKeys> =
  Keys extends Record<Kind, infer Key extends string> ? Key : string
