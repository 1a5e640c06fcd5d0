/** Screens of the page. One is visible at a time, selected by the fragment of the address. */
import { type PageAddress, type Screen, SCREEN_NAMES } from '../foundation/page-address'
import { byId } from '../foundation/by-id'

const SCREENS: Record<Screen, { title: string; skip: string; target: string }> = {
  player: { title: 'Foyer demo', skip: 'Skip to the sign-in button', target: 'sign-in-button' },
  exchange: { title: 'Exchange · Foyer demo', skip: 'Skip to the exchanges', target: 'exchanges' },
  token: { title: 'Token · Foyer demo', skip: 'Skip to the token', target: 'pasted-token' },
  commands: { title: 'Commands · Foyer demo', skip: 'Skip to the editor', target: 'commands-panel' },
  doctor: { title: 'Doctor · Foyer demo', skip: 'Skip to the checks', target: 'run-doctor' },
  lobby: { title: 'Lobby · Foyer demo', skip: 'Skip to the lobby', target: 'lobby-secret' },
  limits: { title: 'Limits · Foyer demo', skip: 'Skip to the burst', target: 'burst-count' },
  service: { title: 'Service · Foyer demo', skip: 'Skip to the services', target: 'services' },
}

/** Shows the screen of the address, now and on every change. */
export function followAddress(address: PageAddress): void {
  let shown: Screen | undefined
  address.current.subscribe(({ screen }) => {
    for (const name of SCREEN_NAMES) byId(`to-${name}`).setAttribute('href', address.linkTo(name))
    if (screen !== shown) show(screen)
    shown = screen
  })
  byId('skip').addEventListener('click', (event) => {
    // The fragment of the address is the screen, so the link must not change it.
    event.preventDefault()
    skipTo(byId(SCREENS[address.current.value.screen].target))
  })
}

function skipTo(target: HTMLElement): void {
  if (!target.matches('a, button, input, select, textarea')) target.tabIndex = -1
  target.focus()
}

function show(name: Screen): void {
  const { title, skip, target } = SCREENS[name]
  for (const other of SCREEN_NAMES) {
    byId(`screen-${other}`).hidden = other !== name
    const link = byId(`to-${other}`)
    if (other === name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  const skipLink = byId('skip')
  skipLink.textContent = skip
  skipLink.setAttribute('href', `#${target}`)
  document.title = title
  window.scrollTo(0, 0)
}
