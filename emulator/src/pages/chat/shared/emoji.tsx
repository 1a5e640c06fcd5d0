/** Emoji of a button, an option or an answer: the character, or the name of a custom one. */
import type { EmojiData } from './wire-parts.js'

export function Emoji({ emoji }: { emoji: EmojiData | undefined }) {
  if (!emoji?.name && !emoji?.id) return null
  if (emoji.id) return <CustomEmoji name={emoji.name ?? emoji.id} />
  return (
    <span class="unicode" aria-hidden="true">
      {emoji.name}
    </span>
  )
}

/** Name of a custom emoji, between colons. */
export function CustomEmoji({ name }: { name: string }) {
  return (
    <span class="emoji" title="Custom emoji: its picture is not loaded">
      :{name}:
    </span>
  )
}
