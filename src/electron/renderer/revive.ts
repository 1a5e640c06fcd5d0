/** Rebuilds errors of the main process as the classes that a page knows them by. */
import { isRecord } from '../../foundation/encoding'
import {
  ApiError,
  AuthorizationError,
  ConfigurationError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  SessionError,
  ValidationError,
} from '../../foundation/errors'

const CLASSES: Readonly<Record<string, new (...args: never[]) => Error>> = {
  ApiError,
  AuthorizationError,
  ConfigurationError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  SessionError,
  ValidationError,
}

/** An error with the class, code and data that it had; its stack is this page's. */
export function reviveError(data: unknown): unknown {
  const { name, message, ...details } = isRecord(data) ? data : {}
  const Class = typeof name === 'string' && Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined
  if (!Class) return new ConfigurationError('unsupported', 'an error of another version of foyer-sdk')
  // Not by its constructor: each takes something else, and the message is made already.
  const error: unknown = Reflect.construct(Error, [message], Class)
  return Object.assign(Object(error), { name, ...details })
}
