/** Keys of a select: arrows, Home and End move, Enter and space choose, Escape and Tab close, letters find. */
import { useRef, useState } from 'preact/hooks'
import type { Choice } from './choice.js'

/** Milliseconds after which typed letters begin a new search. */
const PAUSE = 800

interface Parts {
  choices: Choice[]
  open: boolean
  toggle: (choice: Choice) => void
  show: () => void
  close: () => void
}

export function useSelectKeys({ choices, open, toggle, show, close }: Parts) {
  const [active, setActive] = useState(0)
  const typed = useRef({ text: '', at: 0 })
  const last = choices.length - 1
  const at = Math.min(active, Math.max(0, last))
  const find = (key: string) => {
    const isNew = performance.now() - typed.current.at > PAUSE
    typed.current = { text: (isNew ? '' : typed.current.text) + key.toLowerCase(), at: performance.now() }
    const found = choices.findIndex(({ label }) => label.toLowerCase().replace(/^[@#]/, '').startsWith(typed.current.text))
    if (found !== -1) setActive(found)
  }
  const actions: Record<string, (() => void) | undefined> = {
    ArrowDown: () => setActive(Math.min(at + 1, last)),
    ArrowUp: () => setActive(Math.max(at - 1, 0)),
    Home: () => setActive(0),
    End: () => setActive(last),
    Escape: close,
    Enter: () => choices[at] && toggle(choices[at]),
    ' ': () => choices[at] && toggle(choices[at]),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || key === 'Tab') return
    const isLetter = key.length === 1 && key !== ' '
    const action = isLetter ? () => find(key) : actions[key]
    if (action === undefined || (!open && key === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    if (open) action()
    else show()
  }
  return { active: at, onKeyDown }
}
