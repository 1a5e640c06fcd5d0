/** List of saved services: choose, rename, delete with undo, export and import. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel } from 'kit/panel'
import { useDemo } from '../context/use-demo'
import { ExportButton, ImportButton } from './import-button'
import { SaveServiceForm } from './save-service-form'
import { type Deleted, type Say, ServiceEntry } from './service-entry'

const INTRO = 'Saved in this browser: name, addresses, client id and scopes. A secret is never saved.'

interface Said {
  text: string
  deleted?: Deleted | undefined
  /** Id of the service that the last action restored. */
  restored?: string
}

export function SavedServicesPanel() {
  const { services } = useDemo()
  const [said, setSaid] = useState<Said>({ text: '' })
  const say: Say = (text, deleted) => setSaid({ text, deleted })
  const undo = ({ id, restore }: Deleted) => {
    restore()
    setSaid({ text: 'Restored.', restored: id })
  }
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
          <ServiceEntry one={one} say={say} isRestored={one.id === said.restored} key={one.id} />
        ))}
      </ul>
      <Report said={said} onUndo={undo} />
      <SaveServiceForm say={say} />
    </Panel>
  )
}

/** Line that reports the last action, with a button that undoes it and has the focus. */
function Report({ said: { text, deleted }, onUndo }: { said: Said; onUndo: (deleted: Deleted) => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (deleted) button.current?.focus()
  }, [deleted])
  return (
    <p class="report hint">
      <span role="status">{text}</span>
      <button type="button" class="secondary" hidden={!deleted} ref={button} onClick={() => deleted && onUndo(deleted)}>
        Undo
      </button>
    </p>
  )
}
