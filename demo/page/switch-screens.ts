/** Screens of the page. One is visible at a time, selected by the fragment of the address. */
import { byId } from './ui/create-element'

const SCREENS = {
  player: { title: 'Foyer demo', skip: 'Skip to the sign-in button', target: '#sign-in-button' },
  exchange: { title: 'Exchange · Foyer demo', skip: 'Skip to the exchanges', target: '#exchanges' },
  commands: { title: 'Commands · Foyer demo', skip: 'Skip to the editor', target: '#commands-panel' },
  doctor: { title: 'Doctor · Foyer demo', skip: 'Skip to the checks', target: '#run-doctor' },
  lobby: { title: 'Lobby · Foyer demo', skip: 'Skip to the lobby', target: '#lobby-secret' },
} as const

export type Screen = keyof typeof SCREENS

const SCREEN_NAMES = ['player', 'exchange', 'lobby', 'commands', 'doctor'] as const

export function isScreen(name: Screen): boolean {
  return !byId(`screen-${name}`).hidden
}

/** Shows the screen that the fragment names, now and on every change. Any other fragment is an anchor within the screen. */
export function followAddress(): void {
  const follow = () => {
    const name = SCREEN_NAMES.find((screen) => location.hash === `#${screen}`)
    if (name) show(name)
  }
  show('player')
  follow()
  window.addEventListener('hashchange', follow)
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
  skipLink.setAttribute('href', target)
  document.title = title
  window.scrollTo(0, 0)
}
