/** Bodies of commands: checked by their rules. What `defineCommand` returned is refused with a remedy, since handlers cannot be sent. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { type BodyCheck, CheckedBody } from '../../shared/http/checked-body'

const DEFINED =
  'The service takes no handlers. Pass the definition of what defineCommand returned: sync([score.definition])'

/** @throws ValidationError `invalid_body` with all issues. @throws ConfigurationError `invalid_argument` for a defined command. */
export function commandBody<Value>(given: Value, check: BodyCheck): CheckedBody<Value> {
  try {
    return CheckedBody.of(given, { check })
  } catch (error) {
    if ([given].flat().some(isDefined))
      throw new ConfigurationError('invalid_argument', 'command', { remedy: DEFINED })
    throw error
  }
}

/** A getter may throw: such a value is no defined command. */
function isDefined(body: unknown): boolean {
  try {
    return isRecord(body) && isRecord(body['definition'])
  } catch {
    return false
  }
}
