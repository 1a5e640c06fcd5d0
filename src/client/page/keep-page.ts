/** Keeps the page of a sign-in: a click that also submits a form or follows a link would leave the page, and end the sign-in. */
import { systemClock } from '../../shared/foundation/clock'
import type { Log } from '../../shared/foundation/log-entry'

/**
 * Call it when a sign-in begins, after its window has opened, since Firefox runs other tasks inside `window.open()`. What the game prevents itself
 * is left alone, and so is every click but the one that began the sign-in.
 */
export function keepPage(log: Log | undefined): void {
  const listen = (how: 'add' | 'remove'): void => {
    const change = window[`${how}EventListener`]
    change('click', keep)
    change('submit', keep)
    // A press begins another click. After `pointerup`, the own one is still to come.
    change('pointerdown', end, true)
    change('keydown', end, true)
  }
  const end = (): void => listen('remove')
  const keep = (event: Event): void => {
    // The click and the `submit` that follows it are of one task.
    systemClock.after(0, end)
    if (event.defaultPrevented || (event.type === 'click' && !event.composedPath().some(isLink))) return
    event.preventDefault()
    log?.('warn', 'page.kept', { remedy: 'Use type="button"' })
  }
  const { event } = window
  listen('add')
  // A stopped click does not arrive at the window.
  queueMicrotask(() => event?.type === 'click' && event.cancelBubble && keep(event))
}

const isLink = ({ localName }: Partial<Element>): boolean => localName === 'a'
