/** Panel for players and their tokens. */
import type { Act, PlayerEntry, TokenEntry } from './control/inspector-data.js'
import { Panel } from '../kit/panel.js'

interface Props {
  players: PlayerEntry[]
  tokens: TokenEntry[]
  /** Epoch milliseconds of the emulator's clock. */
  now: number
  act: Act
}

export function Players({ players, tokens, now, act }: Props) {
  return (
    <Panel title="Players and tokens">
      <ul>
        {players.map((player) => (
          <Player
            key={player.id}
            player={player}
            tokens={tokens.filter((token) => token.player === player.id)}
            now={now}
            act={act}
          />
        ))}
      </ul>
    </Panel>
  )
}

interface PlayerProps extends Pick<Props, 'tokens' | 'now' | 'act'> {
  player: PlayerEntry
}

/** A player without a valid token has nothing to expire or revoke. */
function Player({ player: { id, username, globalName }, tokens, now, act }: PlayerProps) {
  const expire = (kind: 'access' | 'refresh', done: string) =>
    void act('tokens', { user: id, action: 'expire', kind }, done)
  const revoke = () =>
    void act('tokens', { user: id, action: 'revoke' }, `Everything that ${username} granted was revoked.`)
  return (
    <li>
      <strong>{globalName ?? username}</strong> <code>{id}</code>
      <p class="quiet">{tokens.map((token) => wordsFor(token, now)).join('; ') || 'no valid token'}</p>
      {tokens.length > 0 && (
        <div class="buttons">
          <button
            type="button"
            onClick={() => expire('access', `The access tokens of ${username} have expired.`)}
          >
            Expire access tokens
          </button>
          <button
            type="button"
            onClick={() =>
              expire(
                'refresh',
                `The refresh tokens of ${username} have expired: the next refresh ends the session.`,
              )
            }
          >
            Expire refresh tokens
          </button>
          <button type="button" onClick={revoke}>
            Revoke
          </button>
        </div>
      )}
    </li>
  )
}

function wordsFor({ kind, count, expiresAt }: TokenEntry, now: number): string {
  const amount = `${count} ${kind} ${count === 1 ? 'token' : 'tokens'}`
  return expiresAt === undefined
    ? amount
    : `${amount}, ${count === 1 ? 'valid' : 'the first valid'} for ${duration(expiresAt - now)}`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`
}
