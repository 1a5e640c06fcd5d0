/** Bodies of responses to an interaction (docs/interface/interactions.md#delivery): each kind is checked by its shape, or holds a checked message. */
import type { Issue } from '../../shared/foundation/errors'
import {
  checkObject,
  collectIssues,
  IssueList,
  list,
  record,
  type Rule,
  type Shape,
  text,
  whole,
} from '../../shared/foundation/rules'
import { CheckedBody } from '../../shared/http/checked-body'
import type { InteractionResponse, MessageData } from '../../shared/wire/interaction-response'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { PreparedMessage } from '../messages/prepare-message'
import { validateModal } from '../messages/validate-modal'

/** Every other kind: a message is prepared instead. */
type PlainResponse = Exclude<InteractionResponse, { type: 4 | 7 }>

/** Its value was compared with the option before. */
const CHOICE: Rule = { is: record, fields: { name: { is: text, min: 1, max: 100, required: true } } }

/** Checks the `data` of each kind. */
const DATA: Readonly<Record<PlainResponse['type'], (data: unknown) => readonly Issue[]>> = {
  1: withoutData,
  5: (data) => (data === undefined ? [] : issuesOf(data, { flags: { is: whole, values: [0, 64] } })),
  6: withoutData,
  8: (data) => issuesOf(data, { choices: { is: list, of: CHOICE, max: 25, required: true } }),
  9: validateModal,
  12: withoutData,
}

const TEXTS = { required: 'is required', wrong_type: 'must be {expected}' }

/** @throws ValidationError `invalid_body`. */
export const responseBody = (response: PlainResponse): CheckedBody<InteractionResponse> =>
  CheckedBody.of(response, { check: (own) => DATA[response.type](isRecord(own) ? own['data'] : own) })

/** 4: a message. 7: an update of the message that the interaction belongs to. */
export const messageResponse = (
  type: 4 | 7,
  { body }: PreparedMessage,
): CheckedBody<{ type: 4 | 7; data: MessageData }> => body.map((data) => ({ type, data }))

function withoutData(data: unknown): readonly Issue[] {
  return data === undefined ? [] : issuesOf(data, {})
}

const issuesOf = (data: unknown, shape: Shape): readonly Issue[] =>
  collectIssues(new IssueList(TEXTS), (at) => void checkObject(data, shape, at))
