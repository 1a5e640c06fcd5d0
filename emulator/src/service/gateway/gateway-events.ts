/** Translates what happens at the service to what a session receives, by its intents. */
import type { ServiceEvent } from '../../model/service-event.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { INTENT } from '../../model/intent.js'

/** The receiver of an event. */
export interface Recipient {
  intents: number
  applicationId: string
}

type Payload = Record<string, unknown>

/** Returns what the recipient gets; undefined for nothing. */
type Translate = (data: Payload, recipient: Recipient) => Payload | undefined

const always: Translate = (data) => data

/** Events of the gateway, by their names. All but messages reach every session. */
const EVENTS: Readonly<Record<string, Translate>> = {
  INTERACTION_CREATE: always,
  APPLICATION_COMMAND_PERMISSIONS_UPDATE: always,
  ENTITLEMENT_CREATE: always,
  ENTITLEMENT_UPDATE: always,
  ENTITLEMENT_DELETE: always,
  MESSAGE_CREATE: withContent,
  MESSAGE_UPDATE: withContent,
  MESSAGE_DELETE: ifWanted,
}

/** Names of the events that a bot may receive because of something that happened. */
export const gatewayEventNames = Object.keys(EVENTS)

/** Returns undefined for an event that this session does not get. */
export function toGatewayEvent({ name, data }: ServiceEvent, recipient: Recipient): Payload | undefined {
  return Object.hasOwn(EVENTS, name) ? EVENTS[name]?.(fieldsOf(data), recipient) : undefined
}

function ifWanted(data: Payload, { intents }: Recipient): Payload | undefined {
  const intent = data['guild_id'] === undefined ? INTENT.DIRECT_MESSAGES : INTENT.GUILD_MESSAGES
  return (intents & intent) === 0 ? undefined : data
}

/** Fields that only the privileged intent shows, as they are without it. */
const HIDDEN = { content: '', embeds: [], attachments: [], components: [] }

function withContent(data: Payload, recipient: Recipient): Payload | undefined {
  if (ifWanted(data, recipient) === undefined) return undefined
  if (showsContent(data, recipient)) return data
  const { poll: _, ...others } = data
  return { ...others, ...HIDDEN }
}

/** A bot always sees direct messages, its own messages, and those that mention it. */
function showsContent(data: Payload, { intents, applicationId }: Recipient): boolean {
  return (
    (intents & INTENT.MESSAGE_CONTENT) !== 0 ||
    data['guild_id'] === undefined ||
    fieldsOf(data['author'])['id'] === applicationId ||
    new RegExp(`<@!?${applicationId}>`).test(textOf(data['content']) ?? '')
  )
}
