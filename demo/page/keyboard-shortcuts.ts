/** Keyboard shortcuts of the sign-in screen: Ctrl or Cmd with Enter signs in, Escape cancels. */
import { type DemoContext, startSignIn } from './panel-context'
import { isScreen } from './switch-screens'

export function listenToKeys(context: DemoContext): void {
  const { signIn } = context
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && signIn.busy) signIn.cancel()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && isScreen('player')) {
      event.preventDefault()
      startSignIn(context)
    }
  })
}
