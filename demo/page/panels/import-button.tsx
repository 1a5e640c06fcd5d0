/** Buttons that write the saved services to a file, and read those of another one. */
import { useRef } from 'preact/hooks'
import { exportServices, ImportError, type SavedService } from '../game/saved-service'
import { useDemo } from '../context/use-demo'
import type { Say } from './service-entry'

const FILE = 'foyer-demo-services.json'

export function ExportButton({ hidden }: { hidden: boolean }) {
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
export function ImportButton({ say }: { say: Say }) {
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
