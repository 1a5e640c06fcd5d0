/** Panel of the lobby screen: both players edit the metadata at the same moment, with and without `updateMetadata`. */
import { useState } from 'preact/hooks'
import type { DemoContext } from '../../context/demo-context'
import { describeResult, editTogether, type EditRequest, type EditResult, outcomeOf } from './edit-together'
import { Panel } from 'kit/panel'
import { playerName } from '../../ui/player-face'
import { useStatus } from 'kit/use-status'
import { useDemo } from '../../context/use-demo'

const OUTCOMES = { kept: 'still there', lost: 'overwritten' } as const
const APART = 'Both players have to be in the same lobby.'
const TOGETHER =
  'The first button overwrites what the other one wrote. updateMetadata excludes the other edit until it has read, written and read again.'

const INTRO = (
  <>
    Metadata is replaced as a whole. The game’s backend edits it for both players in the same moment: each
    edit reads the metadata, adds one to the player’s own entry and to <code>edits</code>, and writes it back.
  </>
)

export function MetadataConflictPanel() {
  const context = useDemo()
  const { run, shown } = useStatus()
  const [result, setResult] = useState<EditResult>()
  const edits = editsOf(context)
  const edit = ({ safely }: { safely: boolean }) => {
    if (!edits) return
    setResult(undefined)
    void run('Both edit …', async () => {
      const edited = await editTogether({ ...edits, safely })
      setResult(edited)
      return describeResult(edited)
    })
  }
  return (
    <Panel id="conflict" title="Two edits at once" intro={INTRO} hidden={!context.faultControls()}>
      <div class="experiments">
        <p class="hint">{edits ? TOGETHER : APART}</p>
        <div class="buttons">
          <button type="button" class="secondary" disabled={!edits} onClick={() => edit({ safely: false })}>
            Both edit now
          </button>
          <button type="button" class="secondary" disabled={!edits} onClick={() => edit({ safely: true })}>
            Both edit with updateMetadata
          </button>
        </div>
        <p class="outcome" role="status">
          {shown}
        </p>
        <ol class="edits" aria-label="Requests in the order of their responses">
          {result?.requests.map((request, index) => (
            <Request request={request} metadata={result.metadata} key={index} />
          ))}
        </ol>
      </div>
    </Panel>
  )
}

/** Lobby and names of both players; undefined unless they are in the same lobby. */
function editsOf({
  workbench: { slots },
}: DemoContext): { lobby: string; players: readonly [string, string] } | undefined {
  const [left, right] = slots.map(({ lobby, session }) => ({ lobby: lobby.value, session: session.value }))
  if (!left?.lobby || left.lobby.id !== right?.lobby?.id || !left.session || !right.session) return undefined
  const nameOf = (session: typeof left.session) => playerName({ ...session, held: true })
  return { lobby: left.lobby.id, players: [nameOf(left.session), nameOf(right.session)] }
}

function Request({ request, metadata }: { request: EditRequest; metadata: EditResult['metadata'] }) {
  const { player, method, path, status, sent, received } = request
  const outcome = outcomeOf(request, metadata)
  return (
    <li class={outcome === 'lost' ? 'edit-lost' : ''}>
      <strong>{player}</strong>
      <code>{`${method} ${path}`}</code>
      <span>{status}</span>
      {outcome && <span class="tag">{OUTCOMES[outcome]}</span>}
      <code class="edit-body">{`${sent ? 'sent' : 'read'} ${JSON.stringify(sent ?? received)}`}</code>
    </li>
  )
}
