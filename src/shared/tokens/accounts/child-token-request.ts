/** Tokens for child applications of a publisher, requested with the token of the parent application (docs/interface/accounts.md#child-tokens). Pure. */
import { ConfigurationError } from '../../foundation/errors'
import { toApplicationId } from '../../foundation/ids'
import { reveal, type Secret } from '../../foundation/secret'
import type { ServiceConfig } from '../../service/service-config'
import type { AccountRequest } from './send-account-request'
import { partnerRequest } from './provisional-account-requests'

export interface ChildTokenContext {
  service: ServiceConfig
  signal?: AbortSignal | undefined
}

/** @throws ConfigurationError `invalid_argument`. */
export function childTokenRequest(
  parentToken: Secret | string,
  childApplicationId: unknown,
  context: ChildTokenContext,
): AccountRequest {
  const parent = reveal(parentToken)
  const child = toApplicationId(childApplicationId)
  if (typeof parent !== 'string' || !parent) throw new ConfigurationError('invalid_argument', 'parentToken')
  if (!child) throw new ConfigurationError('invalid_argument', 'childApplicationId')
  return partnerRequest(
    '/partner-sdk/child-token',
    { parent_access_token: parent, child_application_id: child },
    context,
  )
}
