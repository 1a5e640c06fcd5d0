/** Button that copies a string and confirms it. */
import { h } from './create-element'
import { icon } from './icons'

const FEEDBACK = 2000

export interface CopyOptions {
  /** Name of the copied string: "the steps". */
  what: string
  text: () => string
  /** Label of the button, where "Copy" alone would be ambiguous. */
  label?: string
}

export function copyButton({ what, text, label = 'Copy' }: CopyOptions): HTMLButtonElement {
  const word = h('span', {}, [label])
  const say = h('span', { class: 'visually-hidden', role: 'status' })
  const show = (message: string, spoken: string) => {
    word.textContent = message
    say.textContent = spoken
    setTimeout(() => {
      word.textContent = label
      say.textContent = ''
    }, FEEDBACK)
  }
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => show('Copied', `Copied ${what}.`),
      () => show('Not copied', `The browser did not allow to copy ${what}.`),
    )
  }
  return h('button', { type: 'button', class: 'quiet', 'aria-label': `Copy ${what}`, onclick: copy }, [icon('copy'), word, say])
}
