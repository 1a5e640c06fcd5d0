/** Commands screen: loads the studio, with its editor, when the screen is first shown. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'

const INTRO =
  'Edit the commands as JSON: each problem appears where it is. Nothing is sent until you compare or register.'

export function CommandsPanel() {
  const loaded = useStudio()
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
      {typeof loaded === 'object' && <loaded.Studio />}
    </Panel>
  )
}

type Loaded = { readonly Studio: ComponentType } | 'failed' | undefined

/** Returns undefined while the studio loads. After a failure it is loaded again the next time that the screen is opened. */
function useStudio(): Loaded {
  const { address } = useDemo()
  const [loaded, setLoaded] = useState<Loaded>()
  const isShown = address.current.value.screen === 'commands'
  useEffect(() => {
    if (!isShown || typeof loaded === 'object') return
    import('./commands-studio').then(
      ({ CommandsStudio }) => setLoaded({ Studio: CommandsStudio }),
      () => setLoaded('failed'),
    )
  }, [isShown])
  return loaded
}
