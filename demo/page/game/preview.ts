/** Computes the authorize URL as it would be opened, without opening it; or every error in the settings. */
import { type AuthorizationSurface, Client, FoyerError, type Issue, ValidationError } from 'foyer-sdk'
import { STAND_IN, type Connection } from './connection'
import { type ArgumentsForm, toArgs } from './arguments-form'
import { previewRedirectUri } from './to-surface'
import { allChanges } from './prepare-surface'
import { changeUrl } from './request-changes'

export type Preview = { url: URL; error?: undefined } | { error: FoyerError; url?: undefined }

/** Runs a sign-in on a surface that only captures the URL, with a client that nothing subscribes to. */
export async function preview(form: ArgumentsForm, connection: Connection): Promise<Preview> {
  if (connection.error) return connection
  const client = new Client({
    ...connection.options,
    ...(connection.sentId !== undefined && { applicationId: STAND_IN }),
  })
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
  const rehearsals = await Promise.allSettled([
    client.authorize(toArgs(form), { surface }),
    client.signIn({ args: toArgs(form), surface }),
  ])
  client.close()
  const faults = rehearsals
    .flatMap((one) => (one.status === 'rejected' ? [faultOf(one.reason)] : []))
    .filter((fault) => fault.code !== 'aborted')
  const [url] = opened
  const [first] = faults
  if (first)
    return {
      error: first instanceof ValidationError ? new ValidationError(first.code, allIssues(faults)) : first,
    }
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
