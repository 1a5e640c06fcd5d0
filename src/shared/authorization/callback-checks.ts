/** Reports the checks of a callback for the log. Loaded with the first callback. */
import { type Check, shown } from '../foundation/log-entry'
import type { ServiceConfig } from '../service/service-config'
import type { Callback } from './check-callback'
import type { Attempt } from './attempt'

export interface VerifiedCallback {
  callback: Callback
  attempt: Attempt
  service: ServiceConfig
  /** Code of the error that the verification ended with. */
  fault?: string | undefined
}

const SECRET = '[secret]'

/** Lists the checks in order, up to the first failed one. */
export function callbackChecks({ callback, attempt, service, fault }: VerifiedCallback): Check[] {
  const { address, parameters } = callback
  const iss = parameters.get('iss')
  const code = parameters.has('code')
  const checks: (Check & { fault: string })[] = [
    {
      fault: 'redirect_mismatch',
      check: 'redirect_uri',
      result: 'passed',
      expected: shown(attempt.redirectUri),
      got: shown(address),
    },
    { fault: 'state_mismatch', check: 'state', result: 'passed', expected: SECRET, got: SECRET },
    {
      fault: 'issuer_mismatch',
      check: 'iss',
      result: iss === undefined ? 'absent' : 'passed',
      expected: service.issuer,
      got: shown(iss),
    },
    { fault: 'response_type_mismatch', check: 'response_type', result: 'passed', expected: 'code' },
    {
      fault: 'missing_code',
      check: 'code',
      result: code ? 'passed' : 'absent',
      expected: 'a code',
      got: code ? SECRET : '',
    },
  ]
  const end = checks.findIndex((check) => check.fault === fault)
  return checks.slice(0, end < 0 ? undefined : end + 1).map(({ fault: own, got, result, ...check }) => {
    return { ...check, result: own === fault ? 'failed' : result, ...(got && { got }) }
  })
}
