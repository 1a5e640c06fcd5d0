/** Button that copies a string and confirms it. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { h } from './create-element'
import { Icon, icon } from './icons'

const FEEDBACK = 2000

export interface CopyOptions {
  /** Name of the copied string: "the steps". */
  what: string
  text: () => string
  /** Label of the button, where "Copy" alone would be ambiguous. */
  label?: string
}

/** Button, and the confirmation that a screen reader says. */
export function CopyButton({ what, text, label = 'Copy', hidden = false }: CopyOptions & { hidden?: boolean }) {
  const [isCopied, setCopied] = useState<boolean>()
  useLayoutEffect(() => {
    if (isCopied === undefined) return undefined
    const timer = setTimeout(() => setCopied(undefined), FEEDBACK)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <button type="button" class="quiet" aria-label={`Copy ${what}`} hidden={hidden} onClick={() => void copy()}>
      <Icon name="copy" />
      <span>{isCopied === undefined ? label : isCopied ? 'Copied' : 'Not copied'}</span>
      <span class="visually-hidden" role="status">
        {isCopied === undefined ? '' : isCopied ? `Copied ${what}.` : `The browser did not allow to copy ${what}.`}
      </span>
    </button>
  )
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
