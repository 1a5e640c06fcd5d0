/** Panel of the signed-in player and the tokens. */
import type { Player } from '../game/sign-in'
import { useDemo } from '../context/use-demo'
import { ExpiryRing } from '../ui/expiry-ring'
import { Icon } from 'kit/icon'
import { SecretField } from '../ui/secret-field'
import { Panel } from 'kit/panel'
import { PlayerFace, playerName } from '../ui/player-face'
import { CallbackReuse } from './callback-reuse'
import { IdTokenTables } from './id-token-tables'

export function SessionPanel() {
  const { signIn } = useDemo()
  const player = signIn.player.value
  return (
    <Panel id="session" title="Session">
      {player ? (
        <SignedIn player={player} />
      ) : (
        <p class="empty">Nobody is signed in. The player, scopes and tokens appear here after a sign-in.</p>
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
  return (
    <div class="player">
      <PlayerFace player={player} />
      <div class="player-words">
        <p class="player-name">{playerName(player)}</p>
        <p class="hint">
          Player <code>{player.userId}</code>
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
        {grantedScopes.length} scopes granted{missingScopes.length > 0 && `, ${missingScopes.length} missing`}
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
