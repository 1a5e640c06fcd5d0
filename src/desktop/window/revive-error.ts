/** Recreates errors of the main process with their classes. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import {
  ApiError,
  AuthorizationError,
  ConfigurationError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  SessionError,
  ValidationError,
} from '../../shared/foundation/errors'

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

/** Creates an error with the original class, code and data; the stack is this page's. */
export function reviveError(data: unknown): unknown {
  const { name, message, ...details } = isRecord(data) ? data : {}
  const Class = typeof name === 'string' && Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined
  if (!Class) return new ConfigurationError('unsupported', 'an error of another version of foyer-sdk')
  // Bypasses the constructors: their parameters differ, and the message exists already.
  const error: unknown = Reflect.construct(Error, [message], Class)
  // Not assigned: with a frozen `Error.prototype` that throws.
  return Object.assign(
    Object.defineProperty(Object(error), 'name', { value: name, enumerable: true }),
    details,
  )
}
