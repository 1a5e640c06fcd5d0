// Friends on the desktop, in Electron: the service's own program shows them the board, and brings invitations.
import type { Lobby } from 'foyer-sdk'
import { client } from './client'
import { element } from './element'

/** Null in a page. */
const { desktop } = client
const button = element('friends')

/** The board at which this player is, with the secret by which friends join. */
let board: { lobby: Lobby; secret: string } | undefined

/** Joins the board of an invitation that the player accepts in the service's program. */
export function followFriends(enter: (lobby: Lobby) => Promise<void>): void {
  if (!desktop) return
  desktop.followInvitations()
  client.on('activityLobby', ({ lobby }) => enter(lobby))
  desktop.on('joinRequested', ({ user, accept, refuse }) =>
    confirm(`May ${user.username} join your board?`) ? accept() : refuse(),
  )
  desktop.on('statusChanged', drawButton)
  button.onclick = () => {
    localStorage.setItem('friends', wantsFriends() ? 'hidden' : 'shown')
    return showBoard()
  }
}

/** Shows a board to friends, if the player wants that. A board without a secret can be joined by nobody. */
export async function offerBoard(lobby?: Lobby, secret?: string): Promise<void> {
  board = lobby && secret ? { lobby, secret } : undefined
  if (desktop) await showBoard()
}

async function showBoard(): Promise<void> {
  drawButton()
  if (!board || !wantsFriends()) return desktop!.setPresence(null)
  const { lobby, secret } = board
  await desktop!.setPresence({
    details: 'Plays four in a row',
    party: { lobbyId: lobby.id, max: 2 },
    secrets: { join: secret },
  })
}

function drawButton(): void {
  button.hidden = !board || desktop?.status !== 'connected'
  button.textContent = wantsFriends() ? 'Hide from friends' : 'Show to friends'
}

/** The player's last decision. */
function wantsFriends(): boolean {
  return localStorage.getItem('friends') === 'shown'
}
