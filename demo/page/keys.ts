/** Keys that work anywhere on the page: Ctrl or Cmd with Enter signs in, Escape cancels. */
import type { DemoContext } from './context'

export function listenToKeys({ signIn, form }: DemoContext): void {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && signIn.busy) signIn.cancel()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault()
      signIn.start(form.value)
    }
  })
}
