/** Results as a window may have them, and arguments as a window may give them. */
import { AuthorizationResult } from '../../authorization/result'
import { ConfigurationError } from '../../foundation/errors'
import { Secret } from '../../foundation/secret'
import { decode, encode, type Tag } from '../contract/codec'
import type { Admission } from './windows'
import type { WindowHandles } from './window-handles'

/** The longest message that is read, in characters. */
const MAX_MESSAGE = 256 * 1024

export interface SerializeContext extends Admission {
  handles: WindowHandles
  /** The present session, which a window has already where it stands in a result. */
  session?: object | null
}

/** A value without its secrets. A code stays even where tokens go: nobody but this process can redeem it. */
export function serialize(value: unknown, { handles, tokens, session }: SerializeContext): string {
  return encode(value, (object) => {
    if (object === session) return { kind: 'session' }
    if (isUndo(object)) return { kind: 'undo', reference: handles.nameOf(object) }
    if (object instanceof AuthorizationResult) {
      const { redirectUri } = object
      return { kind: 'result', reference: handles.register(object), ...(redirectUri !== undefined && { redirectUri }) }
    }
    if (isTokenSet(object)) handles.keep(object.accessToken, object)
    if (!(object instanceof Secret)) return undefined
    return tokens ? { kind: 'secret', text: object.reveal() } : { kind: 'withheld', reference: handles.register(object) }
  })
}

/** The only functions that calls give. */
export function isUndo(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

function isTokenSet(value: object): value is { accessToken: Secret } {
  return 'accessToken' in value && value.accessToken instanceof Secret
}

export interface ReviveContext {
  handles: WindowHandles
  signal: AbortSignal
  /** What a function of the window does here. */
  call: (id: string, args: readonly unknown[]) => void
}

/** @throws ConfigurationError `invalid_argument` for what is no message of ours, or names what this window never had. */
export function readMessage(text: unknown, fromMark: (mark: Tag) => unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_MESSAGE) throw new ConfigurationError('invalid_argument', 'message')
  return decode(text, fromMark)
}

/** What a window's marks stand for. */
export function reviveTag({ kind, id, text, reference }: Tag, { handles, signal, call }: ReviveContext): unknown {
  if (kind === 'signal') return signal
  if (kind === 'secret') return new Secret(text ?? '')
  if (kind === 'function' && id !== undefined) return (...args: unknown[]) => call(id, args)
  const value = kind === 'reference' ? handles.resolve(reference) : undefined
  if (!value) throw new ConfigurationError('invalid_argument', 'a secret that this window was not given')
  return value
}
