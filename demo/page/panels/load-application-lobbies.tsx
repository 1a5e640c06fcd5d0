/** Lobby screen: loads the list of the application's lobbies when the screen is first shown. */
import { Panel } from '../ui/panel'
import { useLoaded } from '../ui/use-loaded'
import { useDemo } from '../use-demo'

const INTRO =
  'As the game’s backend manages them with its bot token. No player can list lobbies, and no backend either: the list comes from the emulator.'

const load = async () => (await import('./application-lobby-list')).LobbyList

export function ApplicationLobbiesPanel() {
  const { address, faultControls } = useDemo()
  const loaded = useLoaded(address.current.value.screen === 'lobby', load)
  return (
    <Panel id="lobbies" title="Lobbies of the application" intro={INTRO} hidden={!faultControls()}>
      {loaded === 'failed' && (
        <p class="fault" role="alert">
          The list could not be loaded. Open the screen again.
        </p>
      )}
      {typeof loaded === 'object' && <loaded.Component />}
    </Panel>
  )
}
