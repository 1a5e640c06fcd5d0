/** The authorize URL as the SDK itself would open it, without opening anything. */
import { type AuthorizationSurface, Client, FoyerError } from 'foyer-sdk'
import { type ArgumentsForm, toArgs, toSurface } from './arguments-form'
import type { Connection } from './service-settings'

export type Preview = { url: URL; error?: undefined } | { error: FoyerError; url?: undefined }

/** Rehearses a sign-in on a surface that only looks at the URL, with a client that nobody listens to. */
export async function preview(form: ArgumentsForm, connection: Connection): Promise<Preview> {
  if (connection.error) return connection
  const client = new Client(connection.options)
  const opened: string[] = []
  const surface: AuthorizationSurface = {
    redirectUri: () => toSurface(form, connection.options).redirectUri?.() ?? '',
    open: async (url) => {
      opened.push(url)
      client.abortAuthorize()
      return ''
    },
  }
  const outcome = client.signIn({ args: toArgs(form), surface })
  const error: unknown = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  client.close()
  const [url] = opened
  if (url !== undefined) return { url: new URL(url) }
  if (error instanceof FoyerError) return { error }
  throw error
}

/** The parameters that differ at every click, unless they were given. */
export function randomParameters({ state, nonce, ownPair }: ArgumentsForm): ReadonlySet<string> {
  const random = { state: !state, nonce: !nonce, code_challenge: !ownPair }
  return new Set(Object.entries(random).flatMap(([name, isRandom]) => (isRandom ? [name] : [])))
}
