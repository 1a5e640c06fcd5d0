/** Records what the SDK asks `fetch` to send while a player signs in and plays: in a page and in Node. */
import type * as FoyerModule from 'foyer-sdk'

/** A request as the SDK gives it to `fetch`. */
export interface RecordedRequest {
  /** Method, path with ids replaced, and the query. */
  request: string
  /** The headers that the SDK sets, with the tokens replaced. */
  headers: Record<string, string>
  /** There is a body. */
  body: boolean
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
    const { pathname, search } = new URL(input)
    const headers = Object.fromEntries(
      [...new Headers(init.headers)].map(([name, value]) => [
        name,
        value.replace(/^Bearer \S+$/, 'Bearer :token'),
      ]),
    )
    recorded.push({
      request: `${init.method} ${pathname.replace(/\d{15,}/g, ':id')}${search}`,
      headers,
      body: Boolean(init.body),
    })
    return fetch(input, init)
  }
  const player = new Foyer.Client({ applicationId, service: { host }, fetch: record })
  await player.signIn({ surface })
  await player.fetchCurrentUser()
  const lobby = await player.createOrJoinLobby('recorded', { metadata: { map: 'harbour' } })
  await lobby.send('Hello')
  await lobby.fetchMessages({ limit: 1 })
  await lobby.leave()
  await player.refreshToken()
  await player.signOut({ revoke: true })
  player.close()
  return recorded
}
