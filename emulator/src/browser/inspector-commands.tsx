/** Panel of the inspector for commands: everything that is registered, globally and in guilds. */
import { contextWords, kindWords, permissionWords } from './inspector-command-words.js'
import type { CommandEntry } from './control/inspector-data.js'
import { Panel } from './kit/panel.js'

export function Commands({ commands }: { commands: CommandEntry[] }) {
  if (commands.length === 0)
    return (
      <Panel title="Commands">
        <p class="empty">No command is registered. Register one in the demo, with the API, or with the command line.</p>
      </Panel>
    )
  return (
    <Panel title="Commands">
      <p class="quiet">
        {commands.length} {commands.length === 1 ? 'command is' : 'commands are'} registered. Guilds can have other permissions.
      </p>
      <ul class="long" tabIndex={0} aria-label="Registered commands">
        {commands.map((command) => (
          <li key={command.id}>
            <strong>{command.name}</strong> {kindWords(command.type)}, {command.guild === undefined ? 'global' : 'guild'}
            {command.nsfw && <span class="tag">18+</span>}
            <p class="quiet">
              {contextWords(command)}; {permissionWords(command)}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
