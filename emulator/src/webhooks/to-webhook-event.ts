/** Maps the emulator's events to those that the service sends to webhook addresses. */
import type { ServiceEvent } from '../model/service-event.js'

/** Name and data of an event, as in the body of a webhook. */
export interface WebhookEvent {
  type: string
  data: unknown
}

/** Names of the service's events. */
const TYPES: Readonly<Record<string, string>> = {
  'lobby.message': 'LOBBY_MESSAGE_CREATE',
  'lobby.message_updated': 'LOBBY_MESSAGE_UPDATE',
  'application.authorized': 'APPLICATION_AUTHORIZED',
  'application.deauthorized': 'APPLICATION_DEAUTHORIZED',
}

/** Returns undefined for an event that the service does not send. */
export function toWebhookEvent({ name, data }: ServiceEvent): WebhookEvent | undefined {
  const type = TYPES[name]
  return type === undefined ? undefined : { type, data }
}
