/** List of saved services: choose, rename, delete with undo, export and import. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { ImportError, exportServices, type SavedService } from '../../game/saved-service'
import { ServiceEntry, type Deleted, type Say } from './service-entry'

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
      <button
        type="button"
        class="secondary"
        hidden={!deleted}
        ref={button}
        onClick={() => deleted && onUndo(deleted)}
      >
        Undo
      </button>
    </p>
  )
}

const FILE = 'foyer-demo-services.json'

function ExportButton({ hidden }: { hidden: boolean }) {
  const { services } = useDemo()
  return (
    <button type="button" class="quiet" hidden={hidden} onClick={() => download(services.saved.value)}>
      Export
    </button>
  )
}

function download(services: readonly SavedService[]): void {
  const href = URL.createObjectURL(new Blob([exportServices(services)], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: FILE }).click()
  URL.revokeObjectURL(href)
}

/** Button, and the hidden input of the file that it opens. */
function ImportButton({ say }: { say: Say }) {
  const { services } = useDemo()
  const input = useRef<HTMLInputElement>(null)
  const read = async (chosen: HTMLInputElement) => {
    const [file] = chosen.files ?? []
    if (!file) return
    try {
      say(services.import(await file.text()))
    } catch (error) {
      say(error instanceof ImportError ? error.message : 'The file could not be read.')
    }
    // The same file can be chosen again.
    chosen.value = ''
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => input.current?.click()}>
        Import
      </button>
      <input
        type="file"
        accept="application/json,.json"
        hidden
        id="import-services"
        ref={input}
        onChange={({ currentTarget }) => void read(currentTarget)}
      />
    </>
  )
}

function SaveServiceForm({ say }: { say: Say }) {
  const { services, service } = useDemo()
  const { kind, saved } = service.value
  return (
    <div class="save-service">
      <NewNameForm say={say} />
      <button
        type="button"
        class="secondary"
        hidden={kind === 'custom' && saved === undefined}
        onClick={() => services.choose('custom')}
      >
        Enter another service
      </button>
    </div>
  )
}

function NewNameForm({ say }: { say: Say }) {
  const { services, service } = useDemo()
  const [name, setName] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    services.saveAs(name.trim() || hostOf(service.value.host))
    setName('')
    say(`Saved as ${services.saved.value.at(-1)?.name}.`)
  }
  return (
    <form class="field" hidden={service.value.kind === 'emulator'} onSubmit={submit}>
      <label for="service-name">Save the settings as</label>
      <div class="inline">
        <input
          id="service-name"
          maxlength={60}
          autocomplete="off"
          aria-describedby="service-name-hint"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button class="secondary">Save</button>
      </div>
      <p class="hint" id="service-name-hint">
        Empty: the host. Later changes are saved by themselves.
      </p>
    </form>
  )
}

function hostOf(host = ''): string {
  return URL.parse(host)?.host || 'Service'
}
