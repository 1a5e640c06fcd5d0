/** Reads the body of an event webhook. Pure; never throws. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isSnowflake } from '../../shared/foundation/ids'
import { isEntitlement } from '../purchases/decode-purchase'
import type { EventDataByType, ServiceEvent } from './service-event'

export interface ReceivedEvent {
  readonly event: ServiceEvent
  /** The application that the service names, of any type. */
  readonly applicationId: unknown
}

/** Returns undefined for a body that is neither a PING nor an event. */
export function readEvent(bytes: Uint8Array): ReceivedEvent | 'ping' | undefined {
  const body = parse(bytes)
  if (!isRecord(body)) return undefined
  const { type, event, application_id: applicationId } = body
  if (type === 0) return 'ping'
  if (type !== 1 || !isRecord(event)) return undefined
  const { type: name, timestamp = '', data } = event
  if (typeof name !== 'string' || typeof timestamp !== 'string') return undefined
  return { event: { type: name, timestamp: inUtc(timestamp), data }, applicationId }
}

/** The service omits the zone, and JavaScript would read such a time as local (docs/interface/events.md#webhooks). */
const inUtc = (time: string): string => (/T[\d:.]+$/.test(time) ? `${time}Z` : time)

type Check = (data: Readonly<Record<string, unknown>>) => boolean

const hasUser: Check = ({ user }) => isRecord(user) && isSnowflake(user['id'])
const isMessage: Check = ({ id, lobby_id: lobbyId, author, content }) =>
  isSnowflake(id) &&
  isSnowflake(lobbyId) &&
  isRecord(author) &&
  isSnowflake(author['id']) &&
  typeof content === 'string'

/** Checks of the fields that a handler relies on, by event name. */
const CHECKS: Readonly<Record<keyof EventDataByType, Check>> = {
  APPLICATION_AUTHORIZED: (data) => hasUser(data) && Array.isArray(data['scopes']),
  APPLICATION_DEAUTHORIZED: hasUser,
  LOBBY_MESSAGE_CREATE: isMessage,
  LOBBY_MESSAGE_UPDATE: isMessage,
  LOBBY_MESSAGE_DELETE: ({ id, lobby_id: lobbyId }) => isSnowflake(id) && isSnowflake(lobbyId),
  ENTITLEMENT_CREATE: isEntitlement,
  ENTITLEMENT_UPDATE: isEntitlement,
  ENTITLEMENT_DELETE: isEntitlement,
}

/** True if the data of an event has the type of its name. */
export function hasData<Type extends keyof EventDataByType>(
  type: Type,
  data: unknown,
): data is EventDataByType[Type] {
  return isRecord(data) && CHECKS[type](data)
}

export const isKnownType = (type: string): type is keyof EventDataByType => Object.hasOwn(CHECKS, type)

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
