/** Keeps the page of a sign-in: its click would leave the page if it submits a form or follows a link, and end the sign-in. */
import type { ClientContext } from '../client/context/client-context'

/** ms in which a click may follow `pointerup`, and its form the click. Firefox runs other tasks inside `window.open()`. */
const DURATION = 1000

/** Call it when a sign-in begins, in its click. What the game prevents itself is left alone. */
export function keepPage({ clock, log }: Pick<ClientContext, 'clock' | 'log'>): void {
  const ended = new AbortController()
  const keep = (event: Event): void => {
    const { type, target, defaultPrevented } = event
    if (defaultPrevented || (type === 'click' && !(target instanceof Element && target.closest('a')))) return
    event.preventDefault()
    log('warn', 'page.kept', { remedy: 'Sign in by <button type="button">' })
  }
  addEventListener('click', keep, ended)
  addEventListener('submit', keep, ended)
  clock.after(DURATION, () => ended.abort())
}
