/** Commands studio: editor, problems, sizes, preview, plan and sync. Loaded when its screen is first shown. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readSettings, saveSettings } from '../../foundation/saved-settings'
import { checkCommands, type CheckedCommands } from './check-commands'
import { CommandDeployment } from './command-deployment'
import { CommandPreview } from './command-preview'
import { jsonEditor, type JsonEditor } from './json-editor'

const SETTING = 'commands'

export function CommandsStudio() {
  const [text, setText] = useState(
    () => readSettings(SETTING)['text'] ?? JSON.stringify(EXAMPLE_COMMANDS, null, 2),
  )
  const change = (now: string) => {
    saveSettings(SETTING, { text: now })
    setText(now)
  }
  const { place, goTo } = useEditor(text, change)
  const checked = useMemo(() => checkCommands(text), [text])
  const last = useLastCommands(checked)
  return (
    <div class="studio">
      <div ref={place} />
      <div class="studio-results">
        <Problems problems={checked.problems} onChoose={goTo} />
        <Sizes commands={last.commands} sizes={last.sizes} />
        <CommandPreview commands={last.commands} />
        <CommandDeployment checked={checked} />
      </div>
    </div>
  )
}

/** Returns the place of the editor, which is filled once, with the text of that time. */
function useEditor(text: string, onChange: (text: string) => void) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<JsonEditor | null>(null)
  useLayoutEffect(() => {
    if (!place.current) return
    const check = (now: string) => checkCommands(now).problems
    editor.current = jsonEditor(place.current, { text, label: 'Commands as JSON', check, onChange })
  }, [])
  return { place, goTo: (path: string) => editor.current?.goTo(path) }
}

type Parsed = Pick<CheckedCommands, 'sizes'> & { commands: NonNullable<CheckedCommands['commands']> }

/** Commands of the last text that was JSON. */
function useLastCommands({ commands, sizes }: CheckedCommands): Parsed {
  const last = useRef<Parsed>({ commands: [], sizes: [] })
  if (commands) last.current = { commands, sizes }
  return last.current
}

function Problems({
  problems,
  onChoose,
}: Pick<CheckedCommands, 'problems'> & { onChoose: (path: string) => void }) {
  return (
    <div class="studio-problems" role="status">
      <p class="hint">
        {problems.length === 0
          ? 'No problem: the service accepts these commands.'
          : countWords(problems.length)}
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ path, message, level }) => (
            <li class={`problem-${level}`} key={`${path} ${message}`}>
              <button type="button" class="quiet" onClick={() => onChoose(path)}>
                <strong>{level === 'error' ? 'Error' : 'Warning'}</strong>
                {path !== '' && <code>{path}</code>}
                <span>{message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function countWords(count: number): string {
  return `${count} ${count === 1 ? 'problem' : 'problems'}`
}

function Sizes({ commands, sizes }: Parsed) {
  return (
    <ul class="studio-sizes" aria-label="Sizes">
      {commands.map((command, index) => (
        <Size name={command['name']} total={sizes[index]?.total ?? 0} key={index} />
      ))}
    </ul>
  )
}

function Size({ name, total }: { name: unknown; total: number }) {
  const label = typeof name === 'string' ? name : 'a command without a name'
  return (
    <li>
      <code>{label}</code>
      <meter min={0} max={8000} high={7200} value={total} aria-label={`Size of ${label}`} />
      <span class="hint">{total.toLocaleString('en')} of 8,000 characters</span>
    </li>
  )
}

/** Commands that the studio shows first: with suggestions, and in the menus of players and messages. */
/** Commands that the studio shows first. One has suggestions, one is in the menus of players and of messages. */
const EXAMPLE_COMMANDS = [
  {
    name: 'duel',
    description: 'Challenges another player',
    name_localizations: { de: 'duell' },
    description_localizations: { de: 'Fordert einen anderen Spieler heraus' },
    options: [
      { type: 6, name: 'opponent', description: 'The player to challenge', required: true },
      {
        type: 3,
        name: 'weapon',
        description: 'The weapon of both',
        choices: [
          { name: 'Sword', value: 'sword' },
          { name: 'Wand', value: 'wand' },
        ],
      },
      { type: 3, name: 'arena', description: 'The place, suggested while you type', autocomplete: true },
    ],
  },
  { type: 2, name: 'Challenge' },
  { type: 3, name: 'Report' },
]
