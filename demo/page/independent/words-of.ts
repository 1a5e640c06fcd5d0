/** Error of oauth4webapi with the stage at which it occurred, in its own words. */
import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError } from 'oauth4webapi'
import type { Stage } from './report'

export class StageError extends Error {
  override readonly name = 'StageError'
  readonly stage: Stage
  readonly code: string

  constructor(stage: Stage, code: string, message: string) {
    super(message)
    this.stage = stage
    this.code = code
  }
}

/** Returns a more exact stage, where the error names one. */
export function stageOfError(stage: Stage, error: unknown): Stage {
  if (error instanceof AuthorizationResponseError) return 'authorize page'
  const code = error instanceof OperationProcessingError ? (error.code ?? '') : ''
  const isOfIdToken = /JWT|KEY_SELECTION/.test(code) || (error instanceof Error && /"id_token"|JWT|signature/.test(error.message))
  return stage === 'token request' && isOfIdToken ? 'ID token' : stage
}

/** Code and description of an error. The description of a service is untrusted, and is shown as text only. */
export function wordsOf(error: unknown): [code: string, text: string] {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return [error.error, error.error_description ?? 'The service gives no description.']
  if (error instanceof TypeError) return ['connection_failed', 'No response: is the service running, and does it allow this origin (CORS)?']
  if (error instanceof DOMException && error.name === 'AbortError') return ['aborted', 'The sign-in was cancelled.']
  const code = error instanceof OperationProcessingError ? error.code : undefined
  return [code?.replace(/^OAUTH_/, '').toLowerCase() ?? 'unexpected', `${error instanceof Error ? error.message : String(error)}.`]
}
