/** Links that invite into a lobby. */
import { checkOptions } from '../../shared/foundation/options'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isLinkable, JOIN } from './invitation'

/** Options of `Lobby.inviteLink`. */
export interface InviteLinkOptions {
  /** Address of the game, with `https:` or `http:`. Default: this page, in an Activity its link, in Electron the app's scheme. */
  url?: string | undefined
}

/** Parts of a link. */
export interface InviteLinkParts {
  /** Secret that the player joined with, if it is known. */
  secret: string | undefined
  /** The link before its secret. Undefined without a page and a scheme. */
  address: string | undefined
}

/** The beginning of a link to an Activity. Its custom id has at most 64 characters (docs/interface/activities.md#launch-parameters). */
export const activityAddress = (host: string, applicationId = ''): string =>
  `${host}/activities/${applicationId}?${CUSTOM_ID}`

const CUSTOM_ID = 'custom_id=join%3D'
const MAX_CUSTOM_ID = 64 - 'join='.length
const UNKNOWN = 'This client did not join the lobby by a secret. Call createOrJoinLobby(secret) here first'
const UNSUITABLE =
  'Links bring secrets of printable characters without < and >: create a lobby with another one'

/**
 * @throws ConfigurationError `unsupported` if the secret or the address is unknown, `invalid_argument` for an unsuitable secret, a url that is
 * none, and a secret that is too long for the link of an Activity.
 */
export function createInviteLink(
  options: InviteLinkOptions | undefined,
  { secret, address }: InviteLinkParts,
): string {
  const { url } = checkOptions(options, ['url'])
  if (secret === undefined) throw new ConfigurationError('unsupported', 'inviteLink', { remedy: UNKNOWN })
  if (!isLinkable(secret) || /\p{Cs}/u.test(secret))
    throw new ConfigurationError('invalid_argument', 'secret', { remedy: UNSUITABLE })
  const base = url === undefined ? address : addressOf(url)
  if (base === undefined)
    throw new ConfigurationError('unsupported', 'inviteLink', {
      remedy: "Give the game's address: inviteLink({ url: 'https://game.example' })",
    })
  if (base.endsWith(CUSTOM_ID) && secret.length > MAX_CUSTOM_ID)
    throw new ConfigurationError('invalid_argument', 'secret', {
      remedy: `The link of an Activity holds ${MAX_CUSTOM_ID} characters: use a shorter secret, or give the game's address as url`,
    })
  return base + encodeURIComponent(secret)
}

function addressOf(url: string): string {
  try {
    const { href, protocol } = new URL(url)
    if (/^https?:$/.test(protocol)) return href.replace(/#.*/, '') + JOIN
  } catch {
    // Reported below.
  }
  throw new ConfigurationError('invalid_argument', 'url', {
    remedy: 'Give an absolute address, beginning with https://',
  })
}
