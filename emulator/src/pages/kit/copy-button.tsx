/** Button that copies a string and confirms it. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from './icon.js'

const FEEDBACK = 2000

export interface CopyOptions {
  /** Name of the copied string: "the steps". */
  what: string
  text: () => string
  /** Label of the button, where "Copy" alone would be ambiguous. */
  label?: string
}

/** Button, and the confirmation that a screen reader says. */
export function CopyButton({
  what,
  text,
  label = 'Copy',
  hidden = false,
}: CopyOptions & { hidden?: boolean }) {
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
    <button
      type="button"
      class="quiet"
      aria-label={`Copy ${what}`}
      hidden={hidden}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
      <span>{isCopied === undefined ? label : isCopied ? 'Copied' : 'Not copied'}</span>
      <span class="visually-hidden" role="status">
        {isCopied === undefined
          ? ''
          : isCopied
            ? `Copied ${what}.`
            : `The browser did not allow to copy ${what}.`}
      </span>
    </button>
  )
}
