/** List of saved services: choose, rename, delete with undo, export and import. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel } from '../ui/panel'
import { useDemo } from '../use-demo'
import { ExportButton, ImportButton } from './exchange-saved-services'
import { SaveServiceForm } from './save-service-form'
import { type Say, ServiceEntry } from './saved-service'

const INTRO = 'Saved in this browser: name, addresses, client id and scopes. A secret is never saved.'

interface Said {
  text: string
  undo?: (() => void) | undefined
}

export function SavedServicesPanel() {
  const { services } = useDemo()
  const [said, setSaid] = useState<Said>({ text: '' })
  const say: Say = (text, undo) => setSaid({ text, undo })
  const all = services.saved.value
  const isEmpty = all.length === 0
  const tools = (
    <>
      <ExportButton hidden={isEmpty} />
      <ImportButton say={say} />
    </>
  )
  return (
    <Panel id="services" title="Saved services" intro={INTRO} tools={tools}>
      <p class="empty" hidden={!isEmpty}>
        No service is saved. Enter one in the settings, then save it here under a name.
      </p>
      <ul class="services" aria-label="Services" hidden={isEmpty}>
        {all.map((one) => (
          <ServiceEntry one={one} say={say} key={one.id} />
        ))}
      </ul>
      <Report said={said} say={say} />
      <SaveServiceForm say={say} />
    </Panel>
  )
}

/** Line that reports the last action, with a button that undoes it and has the focus. */
function Report({ said: { text, undo }, say }: { said: Said; say: Say }) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (undo) button.current?.focus()
  }, [undo])
  const revert = () => {
    undo?.()
    say('Restored.')
  }
  return (
    <p class="report hint">
      <span role="status">{text}</span>
      <button type="button" class="secondary" hidden={!undo} ref={button} onClick={revert}>
        Undo
      </button>
    </p>
  )
}
