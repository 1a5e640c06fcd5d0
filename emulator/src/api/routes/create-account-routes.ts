/** Endpoints for provisional accounts and child applications. */
import type { Provider } from 'oidc-provider'
import { ApiRoutes } from '../request/api-routes.js'
import { requireBot } from '../request/caller.js'
import { printedSecret } from '../../foundation/printed-secret.js'
import { checkSecret } from '../../service/accounts/account-service.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { BOT_IDENTITY_TYPE, faultOfUserId } from '../../service/accounts/external-token.js'
import { botAccountBody, childTokenBody, externalAccountBody } from '../../check/account-bodies.js'
import type { ValueOf } from '../../check/schema.js'
import type { AccountService } from '../../service/accounts/account-service.js'
import { accountError } from '../../check/account-error.js'
import { TokenIssue } from '../../service/accounts/token-issue.js'

interface AccountRoutesContext {
  provider: Provider
  accountService: AccountService
}

export function createAccountRoutes(
  context: EmulatorContext,
  { provider, accountService }: AccountRoutesContext,
): ApiRoutes {
  const routes = new ApiRoutes()
  const issue = new TokenIssue(context, provider)
  const accounts = '/partner-sdk/provisional-accounts'
  const external = { schema: () => externalAccountBody }
  const ofBot = { schema: () => botAccountBody }
  const identityOf = (body: ValueOf<typeof externalAccountBody>) => {
    accountService.checkClient(body.client_id, body.client_secret ?? undefined)
    return accountService.identify(body.external_auth_type, body.external_auth_token)
  }
  routes.with('POST', '/partner-sdk/token', external, async (c, body) => {
    const identity = identityOf(await body.read())
    return c.json(await issue.provisional(accountService.signIn(identity, { globalName: undefined })))
  })
  routes.with('POST', '/partner-sdk/token/bot', ofBot, async (c, body) => {
    requireBot(c)
    const { provisional_user_id: accountId, preferred_global_name: globalName, ...rest } = await body.read()
    const names = { globalName: globalName ?? undefined, accountId: accountId ?? undefined }
    return c.json(await issue.provisional(accountService.signIn(botIdentity(rest), names)))
  })
  routes.with('POST', `${accounts}/unmerge`, external, async (c, body) => {
    accountService.unmerge(identityOf(await body.read()))
    return c.body(null, 204)
  })
  routes.with('POST', `${accounts}/unmerge/bot`, ofBot, async (c, body) => {
    requireBot(c)
    accountService.unmerge(botIdentity(await body.read()))
    return c.body(null, 204)
  })
  routes.with('POST', '/partner-sdk/child-token', { schema: () => childTokenBody }, async (c, body) =>
    c.json(await childToken(await body.read(), { context, provider, issue })),
  )
  return routes
}

/** @throws ApiError 400 */
function botIdentity({ external_user_id: subject }: { external_user_id: string }) {
  const fault = faultOfUserId(subject)
  if (fault !== undefined) throw accountError(fault)
  return { type: BOT_IDENTITY_TYPE, subject }
}

/** Exchanges a valid token of the parent application for one of a child. A child's token has no children. */
async function childToken(
  body: ValueOf<typeof childTokenBody>,
  { context, provider, issue }: { context: EmulatorContext; provider: Provider; issue: TokenIssue },
): Promise<Record<string, unknown>> {
  const { child_application_id: childId, parent_access_token: value, parent_client_secret: secret } = body
  const { application } = context.seed
  if (!application.children.some(({ id }) => id === childId))
    throw accountError(10_002, 'child_application_id is not the id of a child of the application')
  checkSecret(context, secret ?? undefined)
  const parent = await provider.AccessToken.find(value)
  if (parent === undefined)
    throw accountError(
      50_025,
      printedSecret(value, 'parent_access_token') ?? 'the parent token does not work',
    )
  if (parent.clientId !== application.id)
    throw accountError(50_025, 'the parent token belongs to a child application')
  return issue.child(parent, childId)
}
