/** Activity panel: a link to the host window; inside it, the handshake and the list of participants. */
import type { ActivityParticipant, Client } from 'foyer-sdk'
import { useLayoutEffect, useState } from 'preact/hooks'
import { explain } from '../../game/explain'
import type { Preset } from '../../game/preset'
import { Icon } from 'kit/icon'
import { useDemo } from '../../context/use-demo'

export function ActivityLine() {
  const { connection, preset, faultControls } = useDemo()
  const { client } = connection.value
  const launch = client?.activity.launch
  return (
    <p id="activity" class="activity">
      {client && launch ? (
        <Inside client={client} key={client} />
      ) : (
        preset && faultControls() && <HostWindowLink preset={preset} />
      )}
    </p>
  )
}

function HostWindowLink({ preset: { activity, host } }: { preset: Preset }) {
  if (activity === undefined) return null
  return (
    <>
      <a href={activity} target="_blank" rel="noopener">
        Open as an Activity
      </a>{' '}
      in the emulator’s host window: several players side by side, without popups. See every request in its{' '}
      <a href="inspector" target="_blank" rel="noopener">
        Inspector
      </a>
      , and use commands in its{' '}
      <a href={`${host}/chat`} target="_blank" rel="noopener">
        Chat
      </a>
      .
    </>
  )
}

function Inside({ client }: { client: Client }) {
  const { state, people } = useHostWindow(client)
  return (
    <>
      <Icon name="screen" /> <span role="status">{state}</span>
      <span class="people">
        {people && ` Here: ${people.map(({ globalName, username }) => globalName ?? username).join(', ')}.`}
      </span>
    </>
  )
}

/** Meets the host window. */
function useHostWindow(client: Client): {
  state: string
  people: readonly ActivityParticipant[] | undefined
} {
  const [state, setState] = useState('Connecting to the host window …')
  const [people, setPeople] = useState<readonly ActivityParticipant[]>()
  useLayoutEffect(() => {
    const stops = [
      client.on('activityParticipants', ({ participants }) => setPeople(participants)),
      client.on('activityClosed', ({ code }) => setState(`The host window ended the Activity: ${code}.`)),
    ]
    const meet = async () => {
      setPeople(await client.activity.fetchParticipants())
      setState('An Activity: the host window asks the player.')
    }
    meet().catch((error: unknown) => setState(`The host window did not respond: ${explain(error).code}.`))
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  return { state, people }
}
