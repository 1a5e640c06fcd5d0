/** Sign-in of one of the two players. With the emulator one click is enough; any other service shows its own page. */
import { useState } from 'preact/hooks'
import type { Preset } from '../game/preset'
import type { FaultControls } from '../game/fault-controls'
import type { PlayerSlot } from '../game/player-slot'
import { Icon } from 'kit/icon'
import { offered, Select } from 'kit/select-field'
import { useDemo } from '../context/use-demo'

interface Props {
  slot: PlayerSlot
  index: number
}

export function PlayerSignIn({ slot, index }: Props) {
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
        <button type="button" class="secondary sit" onClick={() => void slot.signIn(controls.surfaceFor(chosen))}>
          <Icon name="entrance" />
          Sign in
        </button>
      </div>
      <p class="hint">A complete sign-in: consent, code, PKCE and ID token. The emulator approves automatically.</p>
    </div>
  )
}
