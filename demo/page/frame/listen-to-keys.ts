/** Keyboard shortcuts: Ctrl or Cmd with Enter signs in, Escape cancels, and single keys lead to screens and to the list of shortcuts. */
import { type DemoContext, startSignIn } from '../context/demo-context'
import { actionOf, areSingleKeysOn } from './key-action'
import { byId } from '../foundation/by-id'

/** @param openHelp shows the list of shortcuts. */
export function listenToKeys(context: DemoContext, openHelp: () => void): void {
  const { signIn } = context
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && signIn.busy) signIn.cancel()
    if (
      event.key === 'Enter' &&
      (event.ctrlKey || event.metaKey) &&
      !event.repeat &&
      context.address.current.value.screen === 'player'
    ) {
      event.preventDefault()
      startSignIn(context)
    }
  })
  listenToSingleKeys(openHelp)
}

function listenToSingleKeys(openHelp: () => void): void {
  let before: string | undefined
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Shift') return
    const action = isForPage(event) && areSingleKeysOn() ? actionOf(event.key, before) : undefined
    before = action?.kind === 'begun' ? event.key : undefined
    if (action?.kind === 'help') openHelp()
    if (action?.kind === 'go') byId(`to-${action.screen}`).click()
  })
}

/** A key that is typed into a field, or that belongs to the browser or a dialog, is none of the page. */
function isForPage({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return false
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'))
}
