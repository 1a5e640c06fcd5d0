/** Name and avatar of the signed-in player. */
import type { Player } from '../game/sign-in'
import { useState } from 'preact/hooks'

/** Returns the name that other players see, or the id while the service has not named the player. */
export function playerName({ user: { displayName, username }, userId }: Player): string {
  return displayName ?? username ?? userId
}

/** Avatar, or the first letter of the name. */
export function PlayerFace({ player }: { player: Player }) {
  const [broken, setBroken] = useState<string>()
  const picture = player.user.avatarUrl
  if (picture !== undefined && picture !== broken) {
    return (
      <img
        class="face"
        src={picture}
        alt=""
        width={72}
        height={72}
        referrerpolicy="no-referrer"
        onError={() => setBroken(picture)}
      />
    )
  }
  return (
    <span class="face" aria-hidden="true">
      {String.fromCodePoint(playerName(player).codePointAt(0) ?? 63)}
    </span>
  )
}
