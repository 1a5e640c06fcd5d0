/** Table that compares a lobby of the backend with one of players (docs/interface/lobbies.md). */

const ROWS: readonly (readonly [question: string, server: string, player: string])[] = [
  ['Created by', 'the backend, with its bot token', 'the first player who joins with its secret'],
  ['Members', 'the backend adds them; a player cannot join', 'everybody who has the secret joins; the backend may add more'],
  ['Leaving', 'the backend removes them; a player cannot leave', 'each player leaves, or the backend removes them'],
  ['Metadata', 'the backend edits it', 'a member sets it by joining again; the backend edits it too'],
  ['Channel', 'can be linked, by a member with the flag CanLinkLobby', 'cannot be linked'],
  ['End', 'deleted by the backend, or idle for its timeout; never while linked', 'deleted by the backend, or idle for its timeout'],
]

export function LobbyKinds() {
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
