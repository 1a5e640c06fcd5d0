/** The emulator that was started with the page: its players, and what a game enters to use it. */
import { Fragment } from 'preact'
import type { Preset } from '../game/preset'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { useDemo } from '../context/use-demo'

export function EmulatorFacts({ preset, hidden }: { preset: Preset; hidden: boolean }) {
  const { reach } = useDemo()
  // Draws again after a restart, which replaces the values of the preset in place.
  void reach.value
  const facts = [
    { name: 'Host', value: preset.host },
    { name: 'Application id', value: preset.applicationId },
  ]
  return (
    <div class="emulator" hidden={hidden}>
      <p>
        <Icon name="check" />
        <strong>{preset.name}</strong> with {preset.players.length} players to sign in as. Nothing leaves this machine.
      </p>
      <dl class="facts">
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton what={`the ${name.toLowerCase()}`} text={() => value} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
