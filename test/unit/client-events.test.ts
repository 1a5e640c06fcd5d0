/** Events of a client: every name can be subscribed to, and no other. */
import { Client, type ClientEvents } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { codeOf } from '../support/settle'

/** Every event. The type check fails if one is missing. */
const EVENTS: Record<keyof ClientEvents, true> = {
  statusChanged: true,
  sessionChanged: true,
  tokenExpiring: true,
  tokenRefreshed: true,
  maybeClosed: true,
  rateLimited: true,
  rateLimitDelayed: true,
  browserUnavailable: true,
  activityLaunched: true,
  activityParticipants: true,
  activityJoin: true,
  activityLobby: true,
  activityClosed: true,
  lobbyCreated: true,
  lobbyUpdated: true,
  lobbyDeleted: true,
  lobbyMessage: true,
  log: true,
}

const createClient = () => new Client({ service: { host: 'https://service.test' } })

it.each(Object.keys(EVENTS))('the event %s can be subscribed to, once or until the listener is removed', (given) => {
  const name = given as keyof ClientEvents
  const client = createClient()
  const seen: string[] = []
  const unsubscribe = client.subscribe(name, () => seen.push('subscribed'))
  expect(client.on(name, () => seen.push('on'))).toBe(client)
  client.once(name, () => seen.push('once'))
  client.emit(name, {} as never)
  unsubscribe()
  client.emit(name, {} as never)
  expect(seen).toEqual(['subscribed', 'on', 'once', 'on'])
})

it.each(['on', 'once', 'subscribe'] as const)('a misspelt event is refused by %s', async (method) => {
  expect(await codeOf(() => createClient()[method]('sesionChanged' as never, () => undefined))).toBe('invalid_argument')
})
