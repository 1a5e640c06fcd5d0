/** A body that nothing has checked cannot be sent: what the compiler says to such a call, checked by `tsc -p tsconfig.json`. */
import type { Api, CheckedBody, InteractionCall, PreparedMessage } from '../support/internals'

declare const api: Api
declare const checked: CheckedBody
const call = { method: 'POST', route: '/lobbies', ids: {} } as const

export const sent = api.send({ ...call, body: checked })
export const withoutBody = api.exchange(call)

// @ts-expect-error: a value that nobody has checked.
export const unchecked = api.send({ ...call, body: { secret: 's' } })
// @ts-expect-error: JSON is no checked body either.
export const json = api.exchange({ ...call, body: '{}' })
// @ts-expect-error: what looks like a checked body is none.
export const alike: CheckedBody = { value: {}, warnings: [], text: '{}', map: () => checked }
// @ts-expect-error: a message comes from its check.
export const message: PreparedMessage = { body: { content: 'Hi' }, files: [] }
// @ts-expect-error: so does the body of a call of an interaction.
export const encoded: InteractionCall['body'] = { contentType: 'application/json', content: '{}' }
