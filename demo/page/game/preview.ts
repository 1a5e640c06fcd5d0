/** Computes the authorize URL as it would be opened, without opening it; or every error in the settings. */
import { type AuthorizationSurface, Client, FoyerError, type Issue, ValidationError } from 'foyer-sdk'
import { STAND_IN } from './any-application-id'
import { type ArgumentsForm, toArgs } from './arguments-form'
import { previewRedirectUri } from './to-surface'
import type { Connection } from './client-settings'
import { allChanges } from './prepare-surface'
import { changeUrl, readChanges } from './request-changes'

export type Preview = { url: URL; error?: undefined } | { error: FoyerError; url?: undefined }

/** Runs a sign-in on a surface that only captures the URL, with a client that nothing subscribes to. */
export async function preview(form: ArgumentsForm, connection: Connection): Promise<Preview> {
  if (connection.error) return connection
  const client = new Client({ ...connection.options, ...(connection.sentId !== undefined && { applicationId: STAND_IN }) })
  const opened: string[] = []
  const surface: AuthorizationSurface = {
    ...previewRedirectUri(form, connection.options),
    open: async (url) => {
      opened.push(url)
      client.abortAuthorize()
      return ''
    },
  }
  // `authorize` reports every invalid argument; `signIn` also checks that they can create a session.
  const rehearsals = await Promise.allSettled([client.authorize(toArgs(form), { surface }), client.signIn({ args: toArgs(form), surface })])
  client.close()
  const faults = rehearsals
    .flatMap((one) => (one.status === 'rejected' ? [faultOf(one.reason)] : []))
    .filter((fault) => fault.code !== 'aborted')
  const [url] = opened
  const [first] = faults
  if (first) return { error: first instanceof ValidationError ? new ValidationError(first.code, allIssues(faults)) : first }
  if (url === undefined) throw new Error('The rehearsal opened nothing.')
  return { url: new URL(changeUrl(url, allChanges(form, connection))) }
}

function faultOf(reason: unknown): FoyerError {
  if (reason instanceof FoyerError) return reason
  throw reason
}

function allIssues(faults: readonly FoyerError[]): Issue[] {
  const issues = faults.flatMap((fault) => (fault instanceof ValidationError ? fault.issues : []))
  return [...new Map(issues.map((issue) => [issue.path + issue.code, issue])).values()]
}

/** Returns the parameters that differ at every click, unless they were given. */
export function randomParameters(form: ArgumentsForm): ReadonlySet<string> {
  const { state, nonce, ownPair, mode, redirectUri } = form
  const isPort = mode === 'loopback' && redirectUri === ''
  const random = { state: !state, nonce: !nonce, code_challenge: !ownPair, redirect_uri: isPort }
  const changed = new Set(readChanges(form).map(({ name }) => name))
  return new Set(Object.entries(random).flatMap(([name, isRandom]) => (isRandom && !changed.has(name) ? [name] : [])))
}

/** Purpose of a parameter, by which the page groups and colors it. */
export type Purpose = 'application' | 'permission' | 'answer' | 'protection'

const PURPOSES: Partial<Record<string, Purpose>> = {
  client_id: 'application',
  scope: 'permission',
  integration_type: 'permission',
  redirect_uri: 'answer',
  response_type: 'answer',
  state: 'protection',
  nonce: 'protection',
  code_challenge: 'protection',
  code_challenge_method: 'protection',
}

export function purposeOf(parameter: string): Purpose | undefined {
  return PURPOSES[parameter]
}
