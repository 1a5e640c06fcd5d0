/** Preview of the chat's list of commands, in the chosen locale. */
import { useState } from 'preact/hooks'
import { offered, Select } from 'kit/select-field'
import { localesIn, type PreviewedCommand, previewCommand } from './preview-command'

const DEFAULT_LOCALE = 'en-US'

export function CommandPreview({ commands }: { commands: readonly Record<string, unknown>[] }) {
  const [wanted, setWanted] = useState(DEFAULT_LOCALE)
  const locales = [...new Set([DEFAULT_LOCALE, ...localesIn(commands)])].map((locale) => ({ value: locale, label: locale }))
  const locale = offered(locales, wanted)
  const shown = commands.flatMap((command) => previewCommand(command, locale))
  return (
    <section aria-labelledby="preview-title">
      <h3 id="preview-title">In the chat</h3>
      <label for="preview-locale">Language of the player </label>
      <Select id="preview-locale" choices={locales} value={locale} onChange={setWanted} />
      <ul class="studio-preview">
        {shown.map((command, index) => (
          <PreviewItem command={command} key={index} />
        ))}
      </ul>
    </section>
  )
}

function PreviewItem({ command: { label, description, options, kind } }: { command: PreviewedCommand }) {
  return (
    <li>
      <strong>{label}</strong>
      {options.map(({ name, isRequired }, index) => (
        <span class="studio-option" key={index}>
          {isRequired ? name : `${name} (optional)`}
        </span>
      ))}
      {kind !== 'slash' && <span class="tag">{kind}</span>}
      <span class="hint">{description}</span>
    </li>
  )
}
