/** Messages for invalid sign-in arguments. Loaded only when arguments are invalid. */
import { type Issue, ValidationError } from '../foundation/errors'
import type { ArgumentField } from './attempt'

type Rule = readonly [code: string, message: string]

const TEXT: Rule = ['invalid_text', 'must be 1 to 512 visible ASCII characters']

const RULES: Readonly<Record<ArgumentField, Rule>> = {
  object: ['invalid_object', 'must be an object, and neither nullobj nor moved'],
  clientId: ['invalid_id', 'must be a decimal string or a bigint; a number loses digits'],
  scopes: [
    'invalid_scopes',
    'must be at least one OAuth scope, divided by single spaces; signIn needs openid among them',
  ],
  state: ['invalid_text', `${TEXT[1]} that no other attempt is waiting with`],
  nonce: TEXT,
  codeChallenge: ['invalid_challenge', "must be { method: 'S256', challenge } with 43 base64url characters"],
  integrationType: ['unknown_value', 'must be 0 (guild) or 1 (user)'],
  customSchemeParam: [
    'invalid_scheme',
    'must be a URI scheme of the game alone: a-z first, then a-z 0-9 + . -, 64 characters at most',
  ],
}

/** Creates one error with an issue per field. */
export function argumentError(fields: readonly ArgumentField[]): ValidationError {
  return new ValidationError('invalid_argument', fields.map(toIssue))
}

function toIssue(field: ArgumentField): Issue {
  const [code, message] = RULES[field]
  return { path: field === 'object' ? '' : field, code, message, params: {}, level: 'error' }
}
