/** The lobby as one player sees it: members, metadata and messages. */
import type { LobbyState } from 'foyer-sdk'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PlayerSlot } from '../../game/player-slot'
import { Icon } from 'kit/icon'
import { memberName } from '../../game/preset'
import { useDemo } from '../../context/use-demo'
import { LobbyMetadata } from './lobby-metadata'
import { Chat } from './chat'

interface Props {
  slot: PlayerSlot
  /** Makes the ids of this player's elements unique. */
  prefix: string
}

/** Maximum number of members of one lobby (docs/interface/lobbies.md#limits). */
const MEMBERS = 25

export function LobbyView({ slot, prefix }: Props) {
  const { secret } = useDemo().workbench
  const lobby = slot.lobby.value
  const join = useFocusAfterJoin(`${prefix}-message`, { isInside: lobby !== null })
  return (
    <div class="room" hidden={slot.session.value === null}>
      <button
        type="button"
        class="secondary wide"
        hidden={lobby !== null}
        ref={join}
        onClick={() => void slot.join(secret.value)}
      >
        <Icon name="arrow" />
        Create or join
      </button>
      <div class="room-inside" hidden={lobby === null}>
        <div class="members">{lobby && <Members lobby={lobby} self={slot.session.value?.userId} />}</div>
        <Chat slot={slot} prefix={prefix} />
        <LobbyMetadata slot={slot} prefix={prefix} />
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => void slot.leave()}>
            Leave
          </button>
        </div>
      </div>
    </div>
  )
}

/** Returns the reference of the button that joins: its focus goes to the message, since the button is gone then. */
function useFocusAfterJoin(target: string, { isInside }: { isInside: boolean }) {
  const join = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isInside && document.activeElement === join.current) document.getElementById(target)?.focus()
  }, [isInside, target])
  return join
}

function Members({ lobby: { id, members }, self }: { lobby: LobbyState; self: string | undefined }) {
  const { preset } = useDemo()
  return (
    <>
      <h3>
        {members.length} of {MEMBERS} members
      </h3>
      <meter class="count-bar" min={0} max={MEMBERS} value={members.length} aria-label="Members" />
      <ul>
        {members.map((member) => {
          const words = Object.entries(member.metadata).map(([key, value]) => `${key}: ${value}`)
          return (
            <li class="member" key={member.id}>
              <strong>{memberName(member.id, preset)}</strong>
              {member.id === self && <span class="tag">you</span>}
              {words.length > 0 && <span class="hint">{words.join(', ')}</span>}
            </li>
          )
        })}
      </ul>
      <p class="hint">
        Lobby <code>{id}</code>
      </p>
    </>
  )
}
