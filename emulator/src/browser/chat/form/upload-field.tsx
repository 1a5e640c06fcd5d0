/** Files for a modal, which can be added and removed one by one. */
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { amountOf } from '../message/attachments.js'
import { acceptedTypes, readFile } from '../shared/read-file.js'
import { boundsOfField } from './form-parts.js'
import type { FieldControlProps } from './modal-field.js'

export function UploadField({ id, field: { component }, value, fault, describedBy, change }: FieldControlProps) {
  const [busy, setBusy] = useState(false)
  const files = Array.isArray(value) ? value.filter((file) => typeof file !== 'string') : []
  const { most } = boundsOfField(component)
  const add = async ({ currentTarget: input }: TargetedEvent<HTMLInputElement>) => {
    setBusy(true)
    const added = await Promise.all([...(input.files ?? [])].map(readFile))
    setBusy(false)
    // The same file can be chosen again after it was removed.
    input.value = ''
    change(most === 1 ? added : [...files, ...added])
  }
  return (
    <div class="upload">
      <input
        type="file"
        id={id}
        multiple={most > 1}
        accept={acceptedTypes(component.file_types)}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy}
        onChange={(event) => void add(event)}
      />
      {busy && <span role="status">Reading…</span>}
      <ul>
        {files.map((file, index) => (
          <li>
            <bdi>{file.filename}</bdi> <span class="quiet">{amountOf(Math.floor(((file.data?.length ?? 0) * 3) / 4))}</span>
            <button type="button" aria-label={`Remove ${file.filename}`} onClick={() => change(files.filter((_, at) => at !== index))}>
              ✕
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
