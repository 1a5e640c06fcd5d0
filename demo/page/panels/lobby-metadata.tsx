/** Metadata of the lobby and of one player in it, which the player changes by joining again. */
import { useSignal } from '@preact/signals'
import type { Metadata } from 'foyer-sdk'
import type { PlayerSlot } from '../game/player-slot'
import { parseMetadata } from '../game/parse-metadata'
import { MetadataEditor } from '../ui/metadata-editor'
import { useDemo } from '../context/use-demo'

const NONE: Metadata = Object.freeze({})

interface Props {
  slot: PlayerSlot
  prefix: string
}

export function LobbyMetadata({ slot, prefix }: Props) {
  const { secret } = useDemo().workbench
  const { metadata = NONE, members = [] } = slot.lobby.value ?? {}
  const own = members.find(({ id }) => id === slot.session.value?.userId)?.metadata ?? NONE
  const [ofLobby, ofMember] = [useSignal(''), useSignal('')]
  const save = () => slot.join(secret.value, { metadata: parseMetadata(ofLobby.value), member: parseMetadata(ofMember.value) })
  return (
    <details class="more sheets">
      <summary>Metadata</summary>
      <MetadataEditor
        id={`${prefix}-lobby-metadata`}
        label="Metadata of the lobby"
        placeholder={'map: harbour\nmode: capture'}
        metadata={metadata}
        text={ofLobby}
      />
      <MetadataEditor
        id={`${prefix}-member-metadata`}
        label="Metadata of this player in it"
        placeholder="team: red"
        metadata={own}
        text={ofMember}
      />
      <p class="hint">
        A line for each entry, <code>key: value</code>. A player changes it by joining again, which counts as a join: 10 in 60 seconds.
      </p>
      <button type="button" class="secondary" onClick={() => void save()}>
        Save the metadata
      </button>
    </details>
  )
}
