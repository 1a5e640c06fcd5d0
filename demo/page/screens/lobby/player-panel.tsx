/** Panel of one player: name, last error, and the lobby that the player is in. */
import type { RateLimitDelayedEvent, Session } from 'foyer-sdk'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { Select, offered } from 'kit/select-field'
import { useDemo } from '../../context/use-demo'
import { onChange } from '../../foundation/on-change'
import type { FaultControls } from '../../game/fault-controls'
import type { PlayerSlot } from '../../game/player-slot'
import type { Preset } from '../../game/preset'
import { FailureCard } from '../../ui/failure-card'
import { PlayerFace, playerName } from '../../ui/player-face'
import { LobbyView } from './lobby-view'

/** Waits that are shorter are not reported, in ms. */
const REPORTED = 1000

export const FirstPlayer = () => <PlayerPanel id="slot-left" title="First player" index={0} />
export const SecondPlayer = () => <PlayerPanel id="slot-right" title="Second player" index={1} />

function PlayerPanel({ id, title, index }: { id: string; title: string; index: 0 | 1 }) {
  const slot = useDemo().workbench.slots[index]
  const session = slot.session.value
  return (
    <Panel id={id} class="slot" title={title}>
      <div class="slot-head">
        {session ? <SignedIn session={session} slot={slot} /> : <PlayerSignIn slot={slot} index={index} />}
      </div>
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
        <p class="hint">
          {session.storage === 'store'
            ? 'A reload keeps the player signed in.'
            : 'A reload signs the player out.'}
        </p>
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

interface Props {
  slot: PlayerSlot
  index: number
}

function PlayerSignIn({ slot, index }: Props) {
  const { preset, faultControls } = useDemo()
  const controls = faultControls()
  if (preset && controls) return <PlayerChoice {...{ slot, index, preset, controls }} />
  return (
    <>
      <p class="empty">Nobody is signed in.</p>
      <button type="button" class="secondary" onClick={() => void slot.signIn()}>
        <Icon name="entrance" />
        Sign in
      </button>
    </>
  )
}

interface ChoiceProps extends Props {
  preset: Preset
  controls: FaultControls
}

function PlayerChoice({ slot, index, preset: { players }, controls }: ChoiceProps) {
  const [wanted, setWanted] = useState(players[index]?.id ?? '')
  const choices = players.map((player) => ({ value: player.id, label: player.name }))
  const chosen = offered(choices, wanted)
  const id = `slot-${index}-player`
  return (
    <div class="field">
      <label for={id}>Player</label>
      <div class="inline">
        <Select id={id} choices={choices} value={chosen} onChange={setWanted} />
        <button
          type="button"
          class="secondary sit"
          onClick={() => void slot.signIn(controls.surfaceFor(chosen))}
        >
          <Icon name="entrance" />
          Sign in
        </button>
      </div>
      <p class="hint">
        A complete sign-in: consent, code, PKCE and ID token. The emulator approves automatically.
      </p>
    </div>
  )
}
