/** Metadata of the lobby and of one player in it, which the player changes by joining again. */
import { useSignal, type Signal } from '@preact/signals'
import type { Metadata } from 'foyer-sdk'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useDemo } from '../../context/use-demo'
import type { PlayerSlot } from '../../game/player-slot'
import { METADATA_LIMIT, countMetadata, parseMetadata, writeMetadata } from './parse-metadata'

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
  const save = () =>
    slot.join(secret.value, { metadata: parseMetadata(ofLobby.value), member: parseMetadata(ofMember.value) })
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
        A line for each entry, <code>key: value</code>. A player changes it by joining again, which counts as
        a join: 10 in 60 seconds.
      </p>
      <button type="button" class="secondary" onClick={() => void save()}>
        Save the metadata
      </button>
    </details>
  )
}

interface EditorProps {
  id: string
  label: string
  placeholder: string
  /** The service's value: a change of it replaces the text, unless the user is typing. */
  metadata: Metadata
  text: Signal<string>
}

/** Input with a counter against the maximum length. */
function MetadataEditor({ id, label, placeholder, metadata, text }: EditorProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const shown = useRef('')
  useLayoutEffect(() => {
    const next = writeMetadata(metadata)
    if (next === shown.current || document.activeElement === input.current) return
    shown.current = next
    text.value = next
  }, [metadata, text])
  const used = countMetadata(parseMetadata(text.value))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        placeholder={placeholder}
        spellcheck={false}
        aria-describedby={`${id}-count`}
        aria-invalid={used > METADATA_LIMIT ? 'true' : undefined}
        ref={input}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <MetadataCount id={`${id}-count`} used={used} />
    </div>
  )
}

function MetadataCount({ id, used }: { id: string; used: number }) {
  const isOver = used > METADATA_LIMIT
  return (
    <div class="count">
      <meter
        class="count-bar"
        min={0}
        max={METADATA_LIMIT}
        high={METADATA_LIMIT * 0.9}
        value={used}
        aria-labelledby={id}
      />
      <span id={id} class={isOver ? 'over' : undefined}>
        {`${used.toLocaleString('en')} of ${METADATA_LIMIT.toLocaleString('en')} characters${isOver ? ': too many' : ''}`}
      </span>
    </div>
  )
}
