/** Preview of the chat's list of commands, in the chosen locale. */
import { localize } from 'foyer-sdk/server'
import { useState } from 'preact/hooks'
import { Select, offered } from 'kit/select-field'

const DEFAULT_LOCALE = 'en-US'

export function CommandPreview({ commands }: { commands: readonly Record<string, unknown>[] }) {
  const [wanted, setWanted] = useState(DEFAULT_LOCALE)
  const locales = [...new Set([DEFAULT_LOCALE, ...localesIn(commands)])].map((locale) => ({
    value: locale,
    label: locale,
  }))
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

interface PreviewedOption {
  readonly name: string
  readonly isRequired: boolean
}

/** One entry of the chat's list: a command, or one of its subcommands. */
interface PreviewedCommand {
  readonly label: string
  readonly description: string
  readonly options: readonly PreviewedOption[]
  /** Menus have no slash: they open on a player or a message. */
  readonly kind: 'slash' | 'user menu' | 'message menu' | 'Activity'
}

type Fields = Record<string, unknown>

const KINDS: Readonly<Record<number, PreviewedCommand['kind']>> = {
  1: 'slash',
  2: 'user menu',
  3: 'message menu',
  4: 'Activity',
}

function previewCommand(command: Fields, locale: string): PreviewedCommand[] {
  const kind = KINDS[Number(command['type'] ?? 1)] ?? 'slash'
  return leaves(command, '', locale).map((leaf) => ({
    ...leaf,
    kind,
    label: kind === 'slash' ? `/${leaf.label}` : leaf.label,
  }))
}

/** Returns the locales that any string of the commands has, sorted. */
function localesIn(commands: readonly Fields[]): string[] {
  const found = new Set<string>()
  JSON.stringify(commands, (key, value: unknown) => {
    if (key.endsWith('_localizations') && isFields(value))
      for (const locale of Object.keys(value)) found.add(locale)
    return value
  })
  return [...found].toSorted()
}

function leaves(command: Fields, prefix: string, locale: string): Omit<PreviewedCommand, 'kind'>[] {
  const label = [prefix, textOf(command, 'name', locale)].filter(Boolean).join(' ')
  const options = listOf(command['options'])
  const parts = options.filter(({ type }) => type === 1 || type === 2)
  if (parts.length > 0) return parts.flatMap((part) => leaves(part, label, locale))
  const shown = options.map((option) => ({
    name: textOf(option, 'name', locale),
    isRequired: option['required'] === true,
  }))
  return [{ label, description: textOf(command, 'description', locale), options: shown }]
}

function textOf(fields: Fields, name: string, locale: string): string {
  const text = fields[name]
  const localizations = fields[`${name}_localizations`]
  if (typeof text !== 'string') return ''
  return localize({ default: text, localizations: isFields(localizations) ? localizations : null, locale })
    .value
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
