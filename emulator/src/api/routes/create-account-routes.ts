/** Endpoints for provisional accounts and child applications. */
import { Hono, type Context } from 'hono'
import type { Provider } from 'oidc-provider'
import { readAnyJson } from '../request/read-json.js'
import { requireBot } from '../request/caller.js'
import { checkSecret } from '../../service/accounts/account-service.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { BOT_IDENTITY_TYPE, faultOfUserId } from '../../service/accounts/external-token.js'
import { Form } from '../../check/form.js'
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
): Hono {
  const routes = new Hono()
  const issue = new TokenIssue(context, provider)
  const accounts = '/partner-sdk/provisional-accounts'
  routes.use('/partner-sdk/*', async (c, next) => {
    if (c.req.method === 'POST' && c.req.path.endsWith('/bot')) requireBot(c)
    await next()
  })
  routes.post('/partner-sdk/token', async (c) => {
    const { type, token } = await externalCredentials(c, accountService)
    return c.json(
      await issue.provisional(
        accountService.signIn(accountService.identify(type, token), { globalName: undefined }),
      ),
    )
  })
  routes.post('/partner-sdk/token/bot', async (c) => {
    const { subject, globalName, accountId } = await botForm(c)
    return c.json(
      await issue.provisional(
        accountService.signIn({ type: BOT_IDENTITY_TYPE, subject }, { globalName, accountId }),
      ),
    )
  })
  routes.post(`${accounts}/unmerge`, async (c) => {
    const { type, token } = await externalCredentials(c, accountService)
    accountService.unmerge(accountService.identify(type, token))
    return c.body(null, 204)
  })
  routes.post(`${accounts}/unmerge/bot`, async (c) => {
    accountService.unmerge({ type: BOT_IDENTITY_TYPE, subject: (await botForm(c)).subject })
    return c.body(null, 204)
  })
  routes.post('/partner-sdk/child-token', async (c) =>
    c.json(await childToken(c, { context, provider, issue })),
  )
  return routes
}

async function formOf(c: Context): Promise<Form> {
  const body: unknown = await readAnyJson(c)
  return new Form(body)
}

async function externalCredentials(
  c: Context,
  accountService: AccountService,
): Promise<{ type: string; token: string }> {
  const form = await formOf(c)
  const clientId = form.required('client_id', 64)
  const secret = form.optional('client_secret', 1024)
  const type = form.required('external_auth_type', 100)
  const token = form.required('external_auth_token', 10_240)
  form.check()
  accountService.checkClient(clientId, secret)
  return { type, token }
}

async function botForm(c: Context) {
  const form = await formOf(c)
  const subject = form.required('external_user_id', 1024)
  const globalName = form.optional('preferred_global_name', 32)
  const accountId = form.optional('provisional_user_id', 20)
  form.check()
  const fault = faultOfUserId(subject)
  if (fault !== undefined) throw accountError(fault)
  return { subject, globalName, accountId }
}

/** Exchanges a valid token of the parent application for one of a child. A child's token has no children. */
async function childToken(
  c: Context,
  { context, provider, issue }: { context: EmulatorContext; provider: Provider; issue: TokenIssue },
): Promise<Record<string, unknown>> {
  const form = await formOf(c)
  const value = form.required('parent_access_token', 10_240)
  const childId = form.required('child_application_id', 20)
  const secret = form.optional('parent_client_secret', 1024)
  form.check()
  const { application } = context.seed
  if (!application.children.some(({ id }) => id === childId))
    throw accountError(10_002, 'child_application_id is not the id of a child of the application')
  checkSecret(context, secret)
  const parent = await provider.AccessToken.find(value)
  if (parent === undefined) throw accountError(50_025, 'the parent token does not work')
  if (parent.clientId !== application.id)
    throw accountError(50_025, 'the parent token belongs to a child application')
  return issue.child(parent, childId)
}
