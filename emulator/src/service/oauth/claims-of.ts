/** OIDC claims of a player. */
import type { AccountClaims } from 'oidc-provider'
import type { Player } from '../../state/seed/seed.js'

export const CLAIM_NAMES = {
  openid: ['sub', 'preferred_username', 'nickname', 'picture', 'locale'],
  email: ['email', 'email_verified'],
}

export function avatarUrl(player: Player, url: string): string {
  return `${url}/avatars/${player.id}.svg`
}

export function claimsOf(player: Player, url: string): AccountClaims {
  return {
    sub: player.id,
    preferred_username: player.username,
    nickname: player.globalName ?? player.username,
    picture: avatarUrl(player, url),
    locale: player.locale,
    email: player.email,
    email_verified: true,
  }
}
