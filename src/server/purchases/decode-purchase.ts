/** Checks products and purchases of a response. */
import { checkResponse, type FieldRule, fits, ID, NUMBER, TEXT } from '../../shared/http/check-response'
import type { Entitlement, Sku, SkuSubscription } from '../../shared/wire/purchase'

const FLAG: FieldRule = {
  isOptional: true,
  expected: 'true or false',
  fits: (value) => typeof value === 'boolean',
}
const OPTIONAL_ID: FieldRule = { ...ID, isOptional: true }
const TIME: FieldRule = {
  isOptional: true,
  expected: 'a time (ISO 8601)',
  fits: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
}

const ENTITLEMENT: FieldRule<Entitlement> = {
  fields: {
    id: ID,
    sku_id: ID,
    application_id: ID,
    user_id: OPTIONAL_ID,
    guild_id: OPTIONAL_ID,
    gifter_user_id: OPTIONAL_ID,
    type: NUMBER,
    consumed: FLAG,
    deleted: FLAG,
    starts_at: TIME,
    ends_at: TIME,
  },
}
const SKU: FieldRule<Sku> = { fields: { id: ID, application_id: ID, type: NUMBER, name: TEXT } }
const SUBSCRIPTION: FieldRule<SkuSubscription> = {
  fields: {
    id: ID,
    user_id: ID,
    sku_ids: { list: ID },
    entitlement_ids: { list: ID },
    current_period_start: TIME,
    current_period_end: TIME,
    status: NUMBER,
    canceled_at: TIME,
  },
}

/** True for data with the fields of an entitlement. */
export const isEntitlement = (value: unknown): value is Entitlement => fits(value, ENTITLEMENT)

/** @throws ProtocolError `malformed_response`. */
export const decodeEntitlement = (body: unknown, route: string): Entitlement =>
  checkResponse(body, route, ENTITLEMENT)

/** @throws ProtocolError `malformed_response`. */
export const decodeEntitlements = (body: unknown, route: string): readonly Entitlement[] =>
  checkResponse<readonly Entitlement[]>(body, route, { list: ENTITLEMENT })

/** @throws ProtocolError `malformed_response`. */
export const decodeSkus = (body: unknown, route: string): readonly Sku[] =>
  checkResponse<readonly Sku[]>(body, route, { list: SKU })

/** @throws ProtocolError `malformed_response`. */
export const decodeSubscriptions = (body: unknown, route: string): readonly SkuSubscription[] =>
  checkResponse<readonly SkuSubscription[]>(body, route, { list: SUBSCRIPTION })
