/** Turns a callback into a result, or into the error that it means. Loaded while the player is on the authorize page. */
import { AuthorizationError } from '../foundation/errors'
import type { Log } from '../foundation/log-entry'
import { authorizationErrorFrom } from '../foundation/oauth-errors'
import type { ServiceConfig } from '../service/service-config'
import { type AuthorizationResult, mintResult } from './authorization-result'
import type { Attempt } from './attempt'
import type { callbackChecks } from './callback-checks'
import { type Callback, type CallbackOutcome, checkCallback, readCallback } from './check-callback'

/** Loads the report of the checks. Undefined if nothing receives log entries. */
export type LoadCallbackLog = () => Promise<{ callbackChecks: typeof callbackChecks }> | undefined

export interface CallbackContext {
  service: ServiceConfig
  log: Log
  loadLog: LoadCallbackLog
}

/** Returns the result of a callback, given as a URL or parsed. @throws AuthorizationError with the code of the first failed check. */
export function verifyCallback(
  context: CallbackContext,
  given: Callback | string,
  attempt: Attempt,
): AuthorizationResult {
  const callback = typeof given === 'string' ? readCallback(given) : given
  const { code, error = '' } = verifyAndLog(context, callback, attempt)
  if (!code) throw authorizationErrorFrom(error, callback.parameters.get('error_description'))
  context.log('info', 'authorization.answered')
  return mintResult(code, attempt)
}

/** Verifies a callback and logs each check. The log report is loaded separately; nothing waits for it. */
function verifyAndLog(
  { service, log, loadLog }: CallbackContext,
  callback: Callback,
  attempt: Attempt,
): CallbackOutcome {
  let fault: string | undefined = 'malformed_callback'
  try {
    const outcome = checkCallback(callback, attempt, service)
    fault = undefined
    return outcome
  } catch (error) {
    if (error instanceof AuthorizationError) fault = error.code
    throw error
  } finally {
    loadLog()
      ?.then((report) =>
        log('info', 'authorization.checked', {
          checks: report.callbackChecks({ callback, attempt, service, fault }),
        }),
      )
      .catch(() => undefined)
  }
}
