/** Shows the screen that the address names: `#setup`, otherwise the game. */
const TITLES = { game: 'Foyer in Electron', setup: 'Check your setup – Foyer in Electron' } as const

export function showScreens(): void {
  addEventListener('hashchange', () => {
    // Screen readers and the keyboard continue at the new screen.
    show().querySelector('h1')?.focus()
    scrollTo(0, 0)
  })
  show()
}

function show(): HTMLElement {
  const name = location.hash === '#setup' ? 'setup' : 'game'
  document.title = TITLES[name]
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#${name}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  for (const screen of document.querySelectorAll<HTMLElement>('main > section'))
    screen.hidden = screen.id !== `screen-${name}`
  return document.querySelector<HTMLElement>(`#screen-${name}`) ?? document.body
}
