/** Describes why an authorization request was refused. */
import type { AuthorizationRefusal } from '../pages/refusal-page.js'
import { redirectMismatch } from './redirect-mismatch.js'
import { parseSeed } from '../seed/parse-seed.js'
import type { Application } from '../seed/seed.js'

export interface Request {
  error: string
  description: string
  parameters: Record<string, string | undefined>
}

/** True for the library's errors about PKCE. They are never redirected to the application. */
export function concernsProofKey(description: string | undefined): boolean {
  return description !== undefined && /code_challenge|PKCE/.test(description)
}

export function describeAuthorizationError(request: Request, application: Application): AuthorizationRefusal {
  const { error, description, parameters } = request
  const base = { error, description }
  if (error === 'invalid_client') return { ...base, ...unknownClient(parameters['client_id'], application) }
  if (error === 'invalid_redirect_uri')
    return { ...base, error: 'invalid_request', ...unregistered(parameters['redirect_uri'], application) }
  if (concernsProofKey(description)) return { ...base, ...proofKey(parameters) }
  const missing = /missing required parameters? (.+)/.exec(description)?.[1]
  if (missing !== undefined)
    return { ...base, rule: `required parameter missing: ${missing.replaceAll("'", '')}`, registered: redirectUris(missing, application) }
  return { ...base, rule: description }
}

function unknownClient(received: string | undefined, application: Application): Omit<AuthorizationRefusal, 'error' | 'description'> {
  return {
    rule: 'client_id is not the id of an application here',
    advice: `This emulator has one application: ${application.name}.`,
    ...(received === undefined ? {} : { received }),
    seed: seedWith({ id: received }),
    registered: [application.id],
  }
}

function unregistered(received: string | undefined, application: Application): Omit<AuthorizationRefusal, 'error' | 'description'> {
  return {
    ...redirectMismatch(received ?? '', application.redirectUris),
    received: received ?? '',
    registered: application.redirectUris,
    seed: seedWith({ redirectUris: [received] }),
  }
}

function seedWith(application: Record<string, unknown>): string | undefined {
  const seed = { application }
  try {
    parseSeed(seed)
    return JSON.stringify(seed)
  } catch {
    return undefined
  }
}

function redirectUris(missing: string, application: Application): string[] {
  return missing.includes('redirect_uri') ? application.redirectUris : []
}

function proofKey(parameters: Request['parameters']): Omit<AuthorizationRefusal, 'error' | 'description'> {
  const { code_challenge: challenge, code_challenge_method: method } = parameters
  const advice = 'Send code_challenge = base64url(SHA-256(code_verifier)), 43 characters, and code_challenge_method=S256.'
  if (challenge === undefined) return { rule: 'code_challenge is missing: PKCE is required', advice }
  if (method === undefined) return { rule: 'code_challenge_method is missing: only S256 is accepted', advice }
  if (method !== 'S256') return { rule: 'code_challenge_method is not S256', advice, received: method, registered: ['S256'] }
  return { rule: 'code_challenge is malformed', advice, received: challenge }
}
