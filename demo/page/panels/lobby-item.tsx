/** One lobby of the list: kind, limits, members that the backend adds and removes, and the time until it closes. */
import type { ApplicationLobbies, ListedLobby } from '../game/application-lobbies'
import { METADATA_LIMIT } from '../game/parse-metadata'
import { duration } from '../foundation/format-time'
import { Icon } from 'kit/icon'
import { useEverySecond } from '../foundation/every-second'
import { LobbyMembers } from './lobby-members'

/** Members that one request of the backend may name (docs/interface/lobbies.md#limits). */
const MEMBERS = 25

interface Props {
  lobby: ListedLobby
  lobbies: ApplicationLobbies
}

export function LobbyItem({ lobby, lobbies }: Props) {
  const { id, bySecret, isLinked, members, characters } = lobby
  const limit = METADATA_LIMIT.toLocaleString('en')
  return (
    <li class="lobby-item" aria-labelledby={`${id}-name`}>
      <div class="lobby-head">
        <h3 id={`${id}-name`}>
          {bySecret ? 'Player lobby ' : 'Server lobby '}
          <code>{id}</code>
        </h3>
        <span class="tag" hidden={!isLinked}>
          linked
        </span>
        <button type="button" class="quiet" onClick={() => void lobbies.delete(id)}>
          <Icon name="cross" />
          Delete
        </button>
      </div>
      <MeterLine id={`${id}-members`} value={members.length} max={MEMBERS} words={`${members.length} of ${MEMBERS} members`} />
      <MeterLine
        id={`${id}-metadata`}
        value={characters}
        max={METADATA_LIMIT}
        words={`${characters.toLocaleString('en')} of ${limit} characters of metadata`}
      />
      <IdleLine lobby={lobby} lobbies={lobbies} />
      <LobbyMembers lobby={lobby} lobbies={lobbies} />
    </li>
  )
}

function IdleLine({ lobby, lobbies }: Props) {
  useEverySecond()
  const left = lobbies.timeLeft(lobby)
  const value = Number.isFinite(left) ? Math.max(0, left / 1000) : lobby.idleSeconds
  return <MeterLine id={`${lobby.id}-idle`} value={value} max={lobby.idleSeconds} words={idleWords(lobby, left)} />
}

function idleWords({ idleSeconds, closesAt }: ListedLobby, left: number): string {
  if (closesAt === undefined) return 'Does not close while it is linked'
  if (left <= 0) return 'Closes now'
  return `Closes in ${duration(left)} if nobody uses it, of ${duration(idleSeconds * 1000)}`
}

interface LineProps {
  id: string
  value: number
  max: number
  words: string
}

function MeterLine({ id, value, max, words }: LineProps) {
  return (
    <div class="count">
      <meter class="count-bar" min={0} max={max} value={value} aria-labelledby={id} />
      <span id={id}>{words}</span>
    </div>
  )
}
