/** Decides who sees a message of a response. Pure. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { checkOptions } from '../../shared/foundation/options'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import type { PreparedMessage } from '../messages/prepare-message'
import { EPHEMERAL } from '../messages/validate-message'
import type { PlayerInteraction } from '../../shared/wire/interaction-request'
import type { Reply } from './interaction-types'

/** Who sees a message: everybody in the channel, or the player only. */
export type Visibility = 'private' | 'public'

/** @throws ConfigurationError `invalid_argument` for anything else. */
export function requireVisibility(visibility: unknown): asserts visibility is Visibility | undefined {
  if (visibility === undefined || visibility === 'private' || visibility === 'public') return
  throw new ConfigurationError('invalid_argument', "visibility: 'private' or 'public'")
}

/** The visibility that a reply asks for; undefined if it asks for none. A contradiction counts as private. */
export function requestedVisibility(reply: Reply | string): Visibility | undefined {
  if (!isRecord(reply)) return undefined
  const { ephemeral, flags } = ownFields(reply)
  if (ephemeral || visibilityOf(flags) === 'private') return 'private'
  return ephemeral === false ? 'public' : undefined
}

/**
 * The visibility that the options of a deferral ask for.
 * @throws ConfigurationError `invalid_argument` for anything but `{ ephemeral }`, which would show the answer to everybody.
 */
export function deferredVisibility(
  options: { ephemeral?: boolean | undefined } | undefined,
): Visibility | undefined {
  return requestedVisibility(checkOptions<Reply>(options, ['ephemeral', 'flags']))
}

/** The visibility of a message with these flags. */
export const visibilityOf = (flags: unknown): Visibility =>
  (Number(flags) & EPHEMERAL) === 0 ? 'public' : 'private'

/** True if the interaction belongs to a message: a component of it was used, or opened the modal. */
export const isOfMessage = (interaction: PlayerInteraction): boolean =>
  interaction.type === 3 || (interaction.type === 5 && interaction.message !== undefined)

/** Sets or removes the flag of a new message. */
export function withVisibility(message: PreparedMessage, visibility: Visibility): PreparedMessage {
  const { body, files } = message
  // Most messages are public, and have no flags.
  if (visibility === 'public' && body.value.flags === undefined) return message
  const flagged = body.map(({ flags: given, ...rest }) => {
    const flags = visibility === 'private' ? (given ?? 0) | EPHEMERAL : (given ?? 0) & ~EPHEMERAL
    return flags === 0 ? rest : { ...rest, flags }
  })
  return { body: flagged, files }
}

/** Data of a deferral, which may only have this flag. */
export const deferralData = (visibility: Visibility): { data?: { flags: number } } =>
  visibility === 'private' ? { data: { flags: EPHEMERAL } } : {}
