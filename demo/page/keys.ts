/** Keys that work anywhere on the page: Ctrl or Cmd with Enter signs in, Escape cancels. */
import { type DemoContext, startSignIn } from './context'

export function listenToKeys(context: DemoContext): void {
  const { signIn } = context
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && signIn.busy) signIn.cancel()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault()
      startSignIn(context)
    }
  })
}
