/** Two edits of a lobby's metadata at the same moment, by the game's backend, and the explanation of their result. */
import type { Metadata } from 'foyer-sdk'
import { askPageServer } from '../../game/ask-page-server'

/** A request that the backend sent for one player, in the order of the responses. */
export interface EditRequest {
  readonly player: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** Metadata in the request; absent if it only reads. */
  readonly sent?: Metadata
  /** Metadata in the response. */
  readonly received: Metadata
}

export interface EditResult {
  readonly requests: readonly EditRequest[]
  /** Metadata of the lobby after both edits. */
  readonly metadata: Metadata
}

/**
 * @param edits.safely true for `updateMetadata`, false for reading and then overwriting.
 * @throws Error with the reason.
 */
export function editTogether(edits: {
  lobby: string
  players: readonly [string, string]
  safely: boolean
}): Promise<EditResult> {
  return askPageServer('metadata', edits)
}

/** Fate of a request: only a write can be overwritten. */
export type Outcome = 'kept' | 'lost' | undefined

/** A write is kept if the lobby still has its player's own entry as sent. */
export function outcomeOf({ player, sent }: EditRequest, metadata: Metadata): Outcome {
  if (!sent) return undefined
  return metadata[player] === sent[player] ? 'kept' : 'lost'
}

/** Explains in one sentence who won, or that nobody lost. */
export function describeResult({ requests, metadata }: EditResult): string {
  const writes = requests.filter(({ sent }) => sent !== undefined)
  const lost = writes.filter((write) => outcomeOf(write, metadata) === 'lost').map(({ player }) => player)
  const winner = writes.findLast((write) => outcomeOf(write, metadata) === 'kept')?.player
  const edits = metadata['edits'] ?? '0'
  if (lost.length === 0)
    return `Both edits are there, and the lobby counts ${edits}. ${requests.length} requests, one after the other.`
  return `${winner ?? 'Another writer'} won, whose request came last: the edit of ${[...new Set(lost)].join(' and ')} is lost, though the service answered it with 200. The lobby counts ${edits}, one too few.`
}
