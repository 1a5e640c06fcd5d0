/** Panel of the signed-in player and the tokens. */
import type { TokenSet } from 'foyer-sdk'
import { useMemo } from 'preact/hooks'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { useEverySecond } from '../../foundation/every-second'
import { duration, exact } from 'kit/format-time'
import type { Player } from '../../game/sign-in'
import { IdTokenTables } from '../../ui/id-token-tables'
import { PlayerFace, playerName } from '../../ui/player-face'
import { SecretField } from '../../ui/secret-field'
import { CallbackReuse } from './callback-reuse'

export function SessionPanel() {
  const { signIn } = useDemo()
  const player = signIn.player.value
  return (
    <Panel id="session" title="Session">
      {player ? (
        <SignedIn player={player} />
      ) : (
        <p class="empty">
          Nobody is signed in. <span>Player, scopes and tokens appear here after a sign-in.</span>
        </p>
      )}
    </Panel>
  )
}

function SignedIn({ player }: { player: Player }) {
  const { sessionLog } = useDemo()
  const { accessToken, refreshToken } = player.tokens
  return (
    <>
      <PlayerHead player={player} />
      {!player.held && (
        <p class="hint">
          Received from <code>getToken</code> with your own PKCE pair: the client itself has no session.
        </p>
      )}
      <ExpiryRing tokens={player.tokens} now={() => sessionLog.now()} />
      <Scopes player={player} />
      <div class="tokens">
        <SecretField name="Access token" secret={accessToken} />
        {refreshToken && <SecretField name="Refresh token" secret={refreshToken} />}
      </div>
      <IdTokenTables tokens={player.tokens} now={sessionLog.now()} />
      <CallbackReuse key={player} />
    </>
  )
}

function PlayerHead({ player }: { player: Player }) {
  const { signIn } = useDemo()
  const name = playerName(player)
  const isNamed = name !== player.userId
  return (
    <div class="player">
      <PlayerFace player={player} />
      <div class="player-words">
        <p class={isNamed ? 'player-name' : 'player-name player-unnamed'}>{name}</p>
        <p class="hint">
          {isNamed ? (
            <>
              Player <code>{player.userId}</code>
            </>
          ) : (
            'With these scopes the service does not name the player.'
          )}
        </p>
      </div>
      <button type="button" class="secondary" onClick={() => void signIn.signOut()}>
        Sign out
      </button>
    </div>
  )
}

function Scopes({ player: { grantedScopes, missingScopes } }: { player: Player }) {
  return (
    <section class="scopes" aria-label="Scopes">
      <h3>
        {grantedScopes.length} {grantedScopes.length === 1 ? 'scope' : 'scopes'} granted
        {missingScopes.length > 0 && `, ${missingScopes.length} missing`}
      </h3>
      <ul>
        {grantedScopes.map((scope) => (
          <li class="scope scope-granted" key={scope}>
            <Icon name="check" />
            {scope}
          </li>
        ))}
        {missingScopes.map((scope) => (
          <li class="scope scope-missing" key={scope}>
            <Icon name="cross" />
            {scope}
            <span class="visually-hidden"> (not granted)</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const RADIUS = 15.9155
/** With this radius the circumference of the ring is 100. */
const FULL = 100

interface Props {
  tokens: TokenSet
  /** Returns the session's time, which may be set forward. */
  now: () => number
}

/** Remaining lifetime of the access token: a ring that empties, and the time. */
function ExpiryRing({ tokens, now }: Props) {
  const { expiresAt } = tokens
  const begun = useMemo(now, [tokens])
  useEverySecond()
  const left = expiresAt - now()
  const offset = FULL * (1 - Math.max(0, left) / Math.max(1, expiresAt - begun))
  return (
    <div class="expiry">
      <svg class="ring" viewBox="0 0 36 36" aria-hidden="true">
        <circle class="ring-track" cx={18} cy={18} r={RADIUS} />
        <circle
          class="ring-bar"
          cx={18}
          cy={18}
          r={RADIUS}
          stroke-dasharray={FULL}
          stroke-dashoffset={offset}
          transform="rotate(-90 18 18)"
        />
      </svg>
      <p>
        <strong class="expiry-words">
          {left > 0 ? `Expires in ${duration(left)}` : 'Expired: renewed with the next call'}
        </strong>
        <span class="hint">
          Access token, until <time datetime={new Date(expiresAt).toISOString()}>{exact(expiresAt)}</time>
        </span>
      </p>
    </div>
  )
}
