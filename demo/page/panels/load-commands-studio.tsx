/** Commands screen: loads the studio, with its editor, when the screen is first shown. */
import { Panel } from '../ui/panel'
import { useLoaded } from '../ui/use-loaded'
import { useDemo } from '../use-demo'

const INTRO = 'Edit the commands as JSON: each problem appears where it is. Nothing is sent until you compare or register.'

const load = async () => (await import('../commands/commands-studio')).CommandsStudio

export function CommandsPanel() {
  const { address } = useDemo()
  const loaded = useLoaded(address.current.value.screen === 'commands', load)
  return (
    <Panel id="commands-panel" title="Commands" intro={INTRO}>
      {loaded === undefined && (
        <p class="empty" role="status">
          Loading the editor…
        </p>
      )}
      {loaded === 'failed' && (
        <p class="fault" role="alert">
          The editor could not be loaded. Open the screen again.
        </p>
      )}
      {typeof loaded === 'object' && <loaded.Component />}
    </Panel>
  )
}
