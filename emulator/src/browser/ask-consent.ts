/** Consent dialog over the frame whose game requested the authorization. */
import { element, find } from './host-elements.js'

/** Request for consent, as the emulator sends it. */
export interface ConsentRequest {
  id: string
  /** Name of the application. */
  application: string
  scopes: { description: string }[]
}

export function askConsent(tile: HTMLElement, { scopes, application }: ConsentRequest, send: (answer: { approve: boolean }) => void): void {
  tile.querySelector('.consent')?.remove()
  const player = tile.dataset['name'] ?? ''
  const dialog = element('section', { className: 'consent' })
  dialog.setAttribute('role', 'alertdialog')
  dialog.setAttribute('aria-label', `${application} asks ${player} for access`)
  const list = element('ul')
  for (const { description } of scopes) list.append(element('li', { textContent: description }))
  const button = (textContent: string, answer: { approve: boolean }) => {
    const created = element('button', { textContent, type: 'button', className: answer.approve ? 'primary' : '' })
    created.addEventListener('click', () => {
      dialog.remove()
      send(answer)
    })
    return created
  }
  const approve = button('Approve', { approve: true })
  const actions = element('div', { className: 'actions' })
  actions.append(approve, button('Deny', { approve: false }))
  dialog.append(
    element('h3', { textContent: `${application} asks for access` }),
    element('p', { className: 'quiet', textContent: `It will be able to, as ${player}:` }),
    list,
    actions,
  )
  find(tile, '.screen').append(dialog)
  approve.focus()
}
