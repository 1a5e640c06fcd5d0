/** Panel of one player: name, last error, and the lobby that the player is in. */
import type { RateLimitDelayedEvent, Session } from 'foyer-sdk'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { PlayerSlot } from '../game/player-slot'
import { onChange } from '../foundation/on-change'
import { FailureCard } from '../ui/failure-card'
import { Panel } from 'kit/panel'
import { PlayerFace, playerName } from '../ui/player-face'
import { useDemo } from '../context/use-demo'
import { LobbyView } from './lobby-view'
import { PlayerSignIn } from './player-sign-in'

/** Waits that are shorter are not reported, in ms. */
const REPORTED = 1000

export const FirstPlayer = () => <PlayerPanel id="slot-left" title="First player" index={0} />
export const SecondPlayer = () => <PlayerPanel id="slot-right" title="Second player" index={1} />

function PlayerPanel({ id, title, index }: { id: string; title: string; index: 0 | 1 }) {
  const slot = useDemo().workbench.slots[index]
  const session = slot.session.value
  return (
    <Panel id={id} class="slot" title={title}>
      <div class="slot-head">{session ? <SignedIn session={session} slot={slot} /> : <PlayerSignIn slot={slot} index={index} />}</div>
      <SlotStatus slot={slot} />
      <Failure slot={slot} />
      <LobbyView slot={slot} prefix={`slot-${index}`} />
    </Panel>
  )
}

function SignedIn({ session, slot }: { session: Session; slot: PlayerSlot }) {
  const player = { ...session, held: true }
  return (
    <div class="player">
      <PlayerFace player={player} />
      <div class="player-words">
        <p class="player-name">{playerName(player)}</p>
        <p class="hint">{session.storage === 'store' ? 'A reload keeps the player signed in.' : 'A reload signs the player out.'}</p>
      </div>
      <button type="button" class="secondary" onClick={() => void slot.signOut()}>
        Sign out
      </button>
    </div>
  )
}

/** The running action, or the limit that it waits for. */
function SlotStatus({ slot }: { slot: PlayerSlot }) {
  const [words, setWords] = useState('')
  useLayoutEffect(() => {
    const stops = [
      slot.doing.subscribe((doing) => setWords(doing && `${doing} …`)),
      onChange(slot.delayed, (event) => {
        if (event && event.wait >= REPORTED) setWords(waitWords(event))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [slot])
  return (
    <p class="hint slot-status" role="status">
      {words}
    </p>
  )
}

function waitWords({ wait, bucket }: RateLimitDelayedEvent): string {
  return `Waiting ${Math.ceil(wait / 1000)} s for the limit ${bucket}.`
}

function Failure({ slot }: { slot: PlayerSlot }) {
  const error = slot.failure.value
  return (
    <div class="failure-slot" role="alert">
      {error !== undefined && <FailureCard error={error} />}
    </div>
  )
}
