/** Select with descriptions and pictures, for one or several values: a button that opens a list, which the keyboard controls. */
import type { Choice } from './choice.js'
import { Emoji } from './emoji.js'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface SelectMenuProps {
  id: string
  label: string
  placeholder: string
  choices: Choice[]
  chosen: string[]
  most: number
  disabled?: boolean | undefined
  invalid?: boolean
  describedBy?: string | undefined
  change: (chosen: string[]) => void
  /** Called with the values when the list closes. */
  closed?: (chosen: string[]) => void
}

export function SelectMenu(props: SelectMenuProps) {
  const {
    id,
    label,
    placeholder,
    choices,
    chosen,
    most,
    disabled,
    invalid = false,
    describedBy,
    change,
    closed,
  } = props
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = (values: string[] = chosen) => {
    if (!open) return
    setOpen(false)
    closed?.(values)
  }
  const toggle = ({ value }: Choice) => {
    const next =
      most === 1
        ? [value]
        : chosen.includes(value)
          ? chosen.filter((one) => one !== value)
          : [...chosen, value]
    if (next.length > most) return
    change(next)
    if (most === 1) close(next)
  }
  const keys = useSelectKeys({ choices, open, toggle, show: () => setOpen(true), close: () => close() })
  useEffect(() => {
    if (!open) return undefined
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node) || box.current?.contains(target) !== true) close()
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  })
  const named = choices.filter(({ value }) => chosen.includes(value))
  return (
    <div class="select" ref={box}>
      <button
        type="button"
        id={id}
        class="select-button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && choices.length > 0 ? `${id}-list-${keys.active}` : undefined}
        aria-label={
          named.length === 0 ? label : `${label}: ${named.map((choice) => choice.label).join(', ')}`
        }
        aria-describedby={describedBy}
        aria-invalid={invalid}
        disabled={disabled}
        onClick={() => (open ? close() : setOpen(true))}
        onKeyDown={keys.onKeyDown}
        onBlur={() => close()}
      >
        {named.length === 0 ? (
          <span class="quiet">{placeholder}</span>
        ) : (
          <span class="chosen-chips">
            {named.map((choice) => (
              <span class={most === 1 ? '' : 'chip'}>
                <Emoji emoji={choice.emoji} /> <bdi>{choice.label}</bdi>
              </span>
            ))}
          </span>
        )}
        <span class="arrow" aria-hidden="true"></span>
      </button>
      <List id={`${id}-list`} menu={props} open={open} active={keys.active} toggle={toggle} />
    </div>
  )
}

interface ListProps {
  id: string
  menu: SelectMenuProps
  open: boolean
  active: number
  toggle: (choice: Choice) => void
}

function List({ id, menu: { label, choices, chosen, most }, open, active, toggle }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (!open || !list.current) return undefined
    const element = list.current
    const place = () => placeBeside(element)
    place()
    addEventListener('scroll', place, { capture: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [open])
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [open, active])
  return (
    <ul
      role="listbox"
      class="select-list"
      id={id}
      ref={list}
      aria-label={label}
      aria-multiselectable={most > 1}
      hidden={!open}
    >
      {open &&
        choices.map((choice, index) => (
          <li
            role="option"
            id={`${id}-${index}`}
            class={index === active ? 'active' : ''}
            aria-selected={chosen.includes(choice.value)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => toggle(choice)}
          >
            <Option choice={choice} />
            <span class={most > 1 ? 'tick several' : 'tick'} aria-hidden="true"></span>
          </li>
        ))}
    </ul>
  )
}

function Option({ choice: { label, description, emoji, avatar } }: { choice: Choice }) {
  return (
    <span class="option">
      {avatar && <img src={avatar} alt="" width="24" height="24" />}
      <Emoji emoji={emoji} />
      <span>
        <bdi>{label}</bdi>
        {description && <span class="quiet">{description}</span>}
      </span>
    </span>
  )
}

/** Places the list below its button, or above it where there is more room; it is not cut off by what scrolls around it. */
function placeBeside(list: HTMLElement): void {
  const button = list.parentElement?.getBoundingClientRect()
  if (button === undefined) return
  const [below, above] = [innerHeight - button.bottom, button.top]
  const isAbove = below < Math.min(320, list.scrollHeight + 16) && above > below
  Object.assign(list.style, {
    left: `${button.left}px`,
    width: `${button.width}px`,
    top: isAbove ? 'auto' : `${button.bottom + 4}px`,
    bottom: isAbove ? `${innerHeight - button.top + 4}px` : 'auto',
    maxHeight: `${Math.min(320, (isAbove ? above : below) - 12)}px`,
  })
}

/** Milliseconds after which typed letters begin a new search. */
const PAUSE = 800

interface Parts {
  choices: Choice[]
  open: boolean
  toggle: (choice: Choice) => void
  show: () => void
  close: () => void
}

function useSelectKeys({ choices, open, toggle, show, close }: Parts) {
  const [active, setActive] = useState(0)
  const typed = useRef({ text: '', at: 0 })
  const last = choices.length - 1
  const at = Math.min(active, Math.max(0, last))
  const find = (key: string) => {
    const isNew = performance.now() - typed.current.at > PAUSE
    typed.current = { text: (isNew ? '' : typed.current.text) + key.toLowerCase(), at: performance.now() }
    const found = choices.findIndex(({ label }) =>
      label.toLowerCase().replace(/^[@#]/, '').startsWith(typed.current.text),
    )
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
