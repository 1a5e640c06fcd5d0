/** A client in the frame of an Activity, its events, and a service with one lobby. */
import type { ClientOptions } from 'foyer-sdk'
import { onTestFinished } from 'vitest'
import { CoreClient, resolveOptions } from './internals'
import { clientSessions } from './client-sessions'
import { CLIENT_ID, HOST, type TokenService, USER_ID } from './token-service'

export const QUERY = '?instance_id=i-1&frame_id=f-1&platform=desktop&channel_id=9'
export const LAUNCH = { instanceId: 'i-1', frameId: 'f-1', platform: 'desktop', channelId: '9' }

export interface ActivityClientOptions extends Partial<Omit<ClientOptions, 'service'>> {
  service?: object
  launchQuery?: string
}

/** The lobby that every join answers with, as the service sends it. */
export const lobbyWith = (members: number, id: string = '77') => ({
  id,
  application_id: CLIENT_ID,
  metadata: null,
  members: Array.from({ length: members }, (_, index) => ({
    id: index === 0 ? USER_ID : `8035111022467892${index}`,
    metadata: null,
    flags: 0,
  })),
})

/** Opens a client without the parts for other pages; records its events and the bodies of its joins. */
export function openActivityClient(
  service: TokenService,
  { launchQuery = QUERY, ...options }: ActivityClientOptions = {},
) {
  const joined: Record<string, unknown>[] = []
  const fetch: TokenService['fetch'] = async (url, init) => {
    if (!url.endsWith('/lobbies')) return service.fetch(url, init)
    joined.push((await new Request(url, init).json()) as Record<string, unknown>)
    return Response.json(lobbyWith(1))
  }
  const given = {
    applicationId: CLIENT_ID,
    clock: service.clock,
    fetch,
    ...options,
    service: { host: HOST, ...options.service },
  }
  const resolved = resolveOptions(given, options.surface, async () => undefined)
  const client = new CoreClient({ ...resolved, launchQuery, loadSessions: clientSessions })
  onTestFinished(() => client.close())
  const events: [string, object][] = []
  for (const name of [
    'activityLaunched',
    'activityParticipants',
    'activityJoin',
    'activityLobby',
    'activityClosed',
  ] as const)
    client.on(name, (event: object) => events.push([name, event]))
  client.on('log', ({ level, step, data }) => {
    if (step.startsWith('activity.')) events.push([`${level} ${step}`, data])
  })
  return { client, events, joined }
}
