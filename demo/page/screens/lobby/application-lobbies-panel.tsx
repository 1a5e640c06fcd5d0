/** List of the application's lobbies with their limits, members and idle countdown, and the form that creates one as a backend does. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import type { DemoContext } from '../../context/demo-context'
import { useDemo } from '../../context/use-demo'
import { ApplicationLobbies } from './application-lobbies'
import { LobbyItem } from './lobby-item'

const INTRO =
  'As the game’s backend manages them with its bot token. No player can list lobbies, and no backend either: the list comes from the emulator.'

export function ApplicationLobbiesPanel() {
  const { faultControls } = useDemo()
  return (
    <Panel id="lobbies" title="Lobbies of the application" intro={INTRO} hidden={!faultControls()}>
      <LobbyList />
    </Panel>
  )
}

function LobbyList() {
  const [lobbies] = useState(() => new ApplicationLobbies())
  useFollowing(lobbies)
  const all = lobbies.list.value
  const fault = lobbies.fault.value
  return (
    <>
      <CreateForm lobbies={lobbies} />
      <p class="fault" role="alert">
        {fault && (
          <>
            <Icon name="warning" />
            {fault}
          </>
        )}
      </p>
      <p class="empty" hidden={all.length > 0}>
        No lobby is open. Create one here, or join as a player above.
      </p>
      <ul class="lobby-list">
        {all.toReversed().map((lobby) => (
          <LobbyItem lobby={lobby} lobbies={lobbies} key={lobby.id} />
        ))}
      </ul>
      <LobbyKinds />
    </>
  )
}

/** Reads the list again and again while the screen shows it. */
function useFollowing(lobbies: ApplicationLobbies): void {
  const { address, faultControls } = useDemo()
  const isShown = address.current.value.screen === 'lobby' && faultControls() !== undefined
  useEffect(() => {
    if (!isShown) return undefined
    lobbies.follow()
    return () => lobbies.stop()
  }, [isShown, lobbies])
}

function CreateForm({ lobbies }: { lobbies: ApplicationLobbies }) {
  const context = useDemo()
  const [idle, setIdle] = useState('300')
  const create = (event: Event) => {
    event.preventDefault()
    void lobbies.create(membersFor(context), idle)
  }
  return (
    <form class="field number-form" onSubmit={create}>
      <label for="lobby-idle">Idle timeout in seconds</label>
      <div class="inline wraps">
        <input
          id="lobby-idle"
          inputmode="numeric"
          autocomplete="off"
          aria-describedby="lobby-idle-hint"
          value={idle}
          onInput={({ currentTarget }) => setIdle(currentTarget.value)}
        />
        <button class="secondary">Create a server lobby</button>
      </div>
      <p class="hint" id="lobby-idle-hint">
        From 5 to 604,800. Its members are the players who are signed in above, or the first player.
      </p>
    </form>
  )
}

function membersFor({ workbench, preset }: DemoContext): string[] {
  const signedIn = workbench.slots.flatMap(({ session }) => session.value?.userId ?? [])
  const members = signedIn.length > 0 ? signedIn : (preset?.players ?? []).slice(0, 1).map(({ id }) => id)
  return [...new Set(members)]
}

const ROWS: readonly (readonly [question: string, server: string, player: string])[] = [
  ['Created by', 'the backend, with its bot token', 'the first player who joins with its secret'],
  [
    'Members',
    'the backend adds them; a player cannot join',
    'everybody who has the secret joins; the backend may add more',
  ],
  [
    'Leaving',
    'the backend removes them; a player cannot leave',
    'each player leaves, or the backend removes them',
  ],
  ['Metadata', 'the backend edits it', 'a member sets it by joining again; the backend edits it too'],
  ['Channel', 'can be linked, by a member with the flag CanLinkLobby', 'cannot be linked'],
  [
    'End',
    'deleted by the backend, or idle for its timeout; never while linked',
    'deleted by the backend, or idle for its timeout',
  ],
]

/** Compares a lobby of the backend with one of players (docs/interface/lobbies.md). */
function LobbyKinds() {
  return (
    <details class="more">
      <summary>
        <h3>Server lobby or player lobby?</h3>
      </summary>
      <table class="compared">
        <thead>
          <tr>
            <td />
            <th scope="col">Server lobby</th>
            <th scope="col">Player lobby</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([question, server, player]) => (
            <tr key={question}>
              <th scope="row">{question}</th>
              <td data-party="Server lobby">{server}</td>
              <td data-party="Player lobby">{player}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
