/** Lobby screen: loads the list of the application's lobbies when the screen is first shown. */
import type { Mount } from '../panel-context'
import { h } from '../ui/create-element'
import { panel } from '../ui/panel'

export const mountApplicationLobbies: Mount = (element, context) => {
  const { body } = panel(element, 'Lobbies of the application', [
    'As the game’s backend manages them with its bot token. No player can list lobbies, and no backend either: the list comes from the emulator.',
  ])
  let isLoaded = false
  const load = async () => {
    if (isLoaded || context.address.current.value.screen !== 'lobby') return
    isLoaded = true
    try {
      const { mountLobbyList } = await import('./application-lobby-list')
      mountLobbyList(body, context)
    } catch {
      isLoaded = false
      body.replaceChildren(h('p', { class: 'fault', role: 'alert' }, ['The list could not be loaded. Open the screen again.']))
    }
  }
  context.address.current.subscribe(() => void load())
  context.service.subscribe(() => (element.hidden = context.faultControls() === undefined))
}
