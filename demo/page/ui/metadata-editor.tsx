/** Metadata input with a counter against its maximum length. */
import type { Signal } from '@preact/signals'
import type { Metadata } from 'foyer-sdk'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { countMetadata, METADATA_LIMIT, parseMetadata, writeMetadata } from '../game/parse-metadata'

interface Props {
  id: string
  label: string
  placeholder: string
  /** The service's value: a change of it replaces the text, unless the user is typing. */
  metadata: Metadata
  text: Signal<string>
}

export function MetadataEditor({ id, label, placeholder, metadata, text }: Props) {
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
      <meter class="count-bar" min={0} max={METADATA_LIMIT} high={METADATA_LIMIT * 0.9} value={used} aria-labelledby={id} />
      <span id={id} class={isOver ? 'over' : undefined}>
        {`${used.toLocaleString('en')} of ${METADATA_LIMIT.toLocaleString('en')} characters${isOver ? ': too many' : ''}`}
      </span>
    </div>
  )
}
