/** Emoji of a button, an option or an answer: the character, or the name of a custom one. */
import { h } from '../../preact.js'
import { CustomEmoji } from '../markdown/mention.js'
import type { EmojiData } from '../wire-parts.js'

export function Emoji({ emoji }: { emoji: EmojiData | undefined }) {
  if (!emoji?.name && !emoji?.id) return null
  if (emoji.id) return <CustomEmoji name={emoji.name ?? emoji.id} />
  return (
    <span class="unicode" aria-hidden="true">
      {emoji.name}
    </span>
  )
}
