/** Panel of the inspector for snapshots of the state. */
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { exportSnapshot } from './control/inspector-api.js'
import type { Act, Snapshots as SnapshotList } from './control/inspector-data.js'
import { Panel } from '../kit/panel.js'
import { saveFile } from '../kit/save-file.js'

export function Snapshots({ snapshots, act }: { snapshots: SnapshotList; act: Act }) {
  const [name, setName] = useState('')
  const save = async (event: Event) => {
    event.preventDefault()
    if (await act('snapshots', { name }, `Saved the state as “${name}”.`)) setName('')
  }
  const restore = (one: string) =>
    void act(
      'snapshots/restore',
      { name: one },
      `Restored “${one}”: players, commands and lobbies are as they were.`,
    )
  const take = async ({ currentTarget: field }: TargetedEvent<HTMLInputElement>) => {
    const file = field.files?.[0]
    if (file === undefined) return
    const as = file.name.replace(/\.json$/, '')
    const snapshot = parse(await file.text())
    await act('snapshots/import', { name: as, snapshot }, `Imported “${as}”. Restore it to use it.`)
    field.value = ''
  }
  return (
    <Panel title="Snapshots">
      {snapshots.length === 0 && <p class="empty">No snapshot is saved.</p>}
      <ul>
        {snapshots.map(({ name: one, takenAt }) => (
          <li key={one}>
            <strong>{one}</strong>{' '}
            <time datetime={new Date(takenAt).toISOString()}>
              {new Date(takenAt).toLocaleString('en-GB')}
            </time>
            <div class="buttons">
              <button onClick={() => restore(one)} aria-label={`Restore ${one}`}>
                Restore
              </button>
              <button onClick={() => void download(one)} aria-label={`Export ${one}`}>
                Export
              </button>
            </div>
          </li>
        ))}
      </ul>
      <form class="one-line" onSubmit={(event) => void save(event)}>
        <label>
          Name of a new snapshot{' '}
          <input
            value={name}
            required
            maxLength={100}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button>Save the state</button>
      </form>
      <label>
        Import a file{' '}
        <input type="file" accept="application/json,.json" onChange={(event) => void take(event)} />
      </label>
      <p class="quiet">A file contains the players’ tokens of this emulator.</p>
    </Panel>
  )
}

async function download(name: string): Promise<void> {
  saveFile(`${name}.json`, await exportSnapshot(name))
}

/** Null for a file that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
