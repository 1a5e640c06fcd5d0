/** Records what the SDK asks `fetch` to send while a player signs in and plays: in a page and in Node. */
import type * as FoyerModule from 'foyer-sdk'

/** A request as the SDK gives it to `fetch`. */
export interface RecordedRequest {
  /** Method, path with ids replaced, and the names in the query. */
  request: string
  /** The names of the headers that the SDK sets, in order of the alphabet. */
  headers: string
  /** Type of the body. Empty without a body. */
  type: string
}

export interface RecordedGame {
  applicationId: string
  host: string
  surface: FoyerModule.AuthorizationSurface
}

/** Signs a player in and uses every group of calls. Self-contained, since a page runs its source code. */
export async function recordRequests(
  Foyer: typeof FoyerModule,
  { applicationId, host, surface }: RecordedGame,
): Promise<RecordedRequest[]> {
  const recorded: RecordedRequest[] = []
  const record = (input: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(input)
    const headers = new Headers(init.headers)
    const query = [...searchParams.keys()].join('&')
    recorded.push({
      request: `${init.method} ${pathname.replace(/\d{15,}/g, ':id')}${query && `?${query}`}`,
      headers: [...headers.keys()].sort().join(' '),
      type: typeof init.body === 'string' ? String(headers.get('content-type')) : '',
    })
    return fetch(input, init)
  }
  const player = new Foyer.Client({ applicationId, service: { host }, fetch: record })
  await player.signIn({ surface })
  await player.fetchCurrentUser()
  const { id } = await player.createOrJoinLobby('recorded', { lobbyMetadata: { map: 'harbour' } })
  await player.sendLobbyMessage(id, 'Hello')
  await player.getLobbyMessagesWithLimit(id, 1)
  await player.leaveLobby(id)
  await player.refreshToken()
  await player.signOut({ revoke: true })
  player.close()
  return recorded
}
