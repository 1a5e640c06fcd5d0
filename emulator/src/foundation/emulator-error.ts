/** The error class of the emulator: a stable code for programs, a message for people. */
import { sentence } from './sentence.js'

export type EmulatorErrorCode =
  | 'invalid_seed'
  | 'invalid_setting'
  | 'invalid_port'
  | 'port_in_use'
  | 'closed'
  | 'host_unusable'
  | 'env_file_unusable'
  | 'state_unusable'
  | 'state_in_use'
  | 'unknown_user'
  | 'foreign_url'
  | 'authorize_refused'
  | 'device_refused'
  | 'activity_missing'
  | 'endpoint_refused'
  | 'bad_request'

export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode
  /** Rule that refused the request, as in the `X-Emulator-Rule` header. */
  readonly rule: string | undefined

  constructor(
    code: EmulatorErrorCode,
    message: string,
    options: { rule?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'EmulatorError'
    this.code = code
    this.rule = options.rule
  }
}

/** An input without the shape that its call takes. `of` adds the name of the call and an example. */
export class WrongInput extends EmulatorError {
  /** The fault, without the call. */
  readonly problem: string

  constructor(problem: string, message = sentence(problem)) {
    super('bad_request', message)
    this.problem = problem
  }

  /** The same error, with the call and an example of it. */
  of(call: string, example: string): WrongInput {
    return new WrongInput(this.problem, `${call}: ${sentence(this.problem)} For example: ${example}`)
  }
}
