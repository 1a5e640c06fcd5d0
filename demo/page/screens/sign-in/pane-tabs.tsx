/** Buttons of a narrow window, which shows one pane of the sign-in screen at a time. A sign-in that begins shows its run. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { byId } from '../../foundation/by-id'
import { onChange } from '../../foundation/on-change'
import { useDemo } from '../../context/use-demo'

const WORDS = { request: 'Request', run: 'Run', session: 'Session' }
const PANES = ['request', 'run', 'session'] as const
type Pane = (typeof PANES)[number]

export function PaneTabs() {
  const { signIn } = useDemo()
  const [pane, setPane] = useState<Pane>('request')
  useLayoutEffect(() => void (byId('screen-player').dataset['pane'] = pane), [pane])
  useEffect(() => {
    let isUnderWay = false
    return onChange(signIn.progress, ({ phase }) => {
      const begins = !isUnderWay && phase !== 'idle'
      isUnderWay = phase === 'waiting' || phase === 'redeeming'
      if (begins) setPane('run')
    })
  }, [signIn])
  return (
    <div class="pane-tabs" role="group" aria-label="Parts of the sign-in">
      {PANES.map((one) => (
        <button type="button" key={one} aria-pressed={one === pane} onClick={() => setPane(one)}>
          {WORDS[one]}
        </button>
      ))}
    </div>
  )
}
