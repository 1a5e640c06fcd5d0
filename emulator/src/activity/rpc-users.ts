/** User payloads of the embedded protocol. */
import { avatarUrl } from '../auth/oidc-claims.js'
import type { Player } from '../seed/seed.js'

/** In READY. */
export function readyUser(player: Player, url: string) {
  return { id: player.id, username: player.username, discriminator: '0', avatar: avatarUrl(player, url), global_name: player.globalName }
}

/** In the response to AUTHENTICATE. */
export function authenticatedUser(player: Player, url: string) {
  return { ...readyUser(player, url), public_flags: 0 }
}

/** In lists of participants. */
export function participant(player: Player, url: string) {
  return { ...readyUser(player, url), flags: 0, bot: false, premium_type: 0, nickname: player.globalName ?? player.username }
}
