/** Name and avatar of the signed-in player. */
import type { Player } from '../game/run-sign-in'
import { useState } from 'preact/hooks'

/** Returns the name from the ID token, or the id if the token has none. */
export function playerName({ tokens: { claims }, userId }: Player): string {
  const names = [claims?.['nickname'], claims?.['name'], claims?.['preferred_username']]
  return names.find((name) => typeof name === 'string' && name !== '')?.toString() ?? userId
}

/** Avatar, or the first letter of the name. */
export function PlayerFace({ player }: { player: Player }) {
  const [broken, setBroken] = useState<string>()
  const picture = player.tokens.claims?.['picture']
  if (typeof picture === 'string' && /^https?:\/\//.test(picture) && picture !== broken) {
    return <img class="face" src={picture} alt="" width={72} height={72} referrerpolicy="no-referrer" onError={() => setBroken(picture)} />
  }
  return (
    <span class="face" aria-hidden="true">
      {String.fromCodePoint(playerName(player).codePointAt(0) ?? 63)}
    </span>
  )
}
