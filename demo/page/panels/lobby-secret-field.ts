/** Head of the lobby screen: the secret through which both players join the same lobby. */
import type { Mount } from '../panel-context'
import { newSecret } from '../game/create-two-player-clients'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

export const mountLobbySecret: Mount = (element, { workbench: { secret } }) => {
  const { body } = panel(element, 'Lobby secret', [
    'Anyone with the secret can join. The first player to join creates the lobby; it ends when nobody has used it for five minutes.',
  ])
  const input = h('input', {
    id: 'lobby-secret',
    type: 'password',
    maxlength: 250,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    oninput: () => (secret.value = input.value),
  })
  secret.subscribe((text) => {
    if (input.value !== text) input.value = text
  })
  const word = h('span', {}, ['Reveal'])
  const toggle = () => {
    const isHidden = input.type === 'password'
    input.type = isHidden ? 'text' : 'password'
    word.textContent = isHidden ? 'Hide' : 'Reveal'
  }
  body.append(
    h('form', { class: 'field', onsubmit: (event) => event.preventDefault() }, [
      h('label', { for: 'lobby-secret' }, ['Secret of the lobby']),
      h('div', { class: 'inline secret-line' }, [
        input,
        h('div', { class: 'buttons' }, [
          h('button', { type: 'button', class: 'quiet', 'aria-label': 'Reveal or hide the secret', onclick: toggle }, [icon('eye'), word]),
          copyButton({ what: 'the secret', text: () => secret.value }),
          h('button', { type: 'button', class: 'secondary', onclick: () => (secret.value = newSecret()) }, ['New secret']),
        ]),
      ]),
    ]),
  )
}
