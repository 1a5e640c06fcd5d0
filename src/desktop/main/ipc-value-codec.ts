/** Serialization of results for windows and of their arguments. */
import { AuthorizationResult } from '../../shared/authorization/authorization-result'
import { ConfigurationError } from '../../shared/foundation/errors'
import { Secret } from '../../shared/foundation/secret'
import { decode, encode, type Tag } from '../contract/tagged-json'
import type { Admission } from './admission'
import type { WindowHandles } from './window-handles'

/** Maximum message length in characters. */
const MAX_MESSAGE = 256 * 1024

export interface SerializeContext extends Admission {
  handles: WindowHandles
  /** Current session; the window has it already, so it is sent as a tag. */
  session?: object | null
}

/** Serializes a value without its secrets. Authorization codes are always withheld, because only this process can redeem them. */
export function serialize(value: unknown, { handles, tokens, session }: SerializeContext): string {
  return encode(value, (object) => {
    if (object === session) return { kind: 'session' }
    if (isUndo(object)) return { kind: 'undo', reference: handles.nameOf(object) }
    if (object instanceof AuthorizationResult) {
      const { redirectUri } = object
      return {
        kind: 'result',
        reference: handles.register(object),
        ...(redirectUri !== undefined && { redirectUri }),
      }
    }
    if (isLobby(object)) return { kind: 'lobby', state: JSON.stringify(object) }
    if (isTokenSet(object)) handles.keep(object.accessToken, object)
    if (!(object instanceof Secret)) return undefined
    return tokens
      ? { kind: 'secret', text: object.reveal() }
      : { kind: 'withheld', reference: handles.register(object) }
  })
}

/** Functions in results are always disposers. */
export function isUndo(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

/** Its class is loaded with the first call about lobbies. */
const isLobby = (value: object): boolean => Object.prototype.toString.call(value) === '[object Lobby]'

function isTokenSet(value: object): value is { accessToken: Secret } {
  return 'accessToken' in value && value.accessToken instanceof Secret
}

export interface ReviveContext {
  handles: WindowHandles
  signal: AbortSignal
  /** Calls a function of the window. */
  call: (id: string, args: readonly unknown[]) => void
}

/** @throws ConfigurationError `invalid_argument` for malformed messages and unknown references. */
export function readMessage(text: unknown, fromTag: (tag: Tag) => unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_MESSAGE)
    throw new ConfigurationError('invalid_argument', 'message')
  return decode(text, fromTag)
}

/** Converts a window's tag to its value. */
export function reviveTag(
  { kind, id, text, reference }: Tag,
  { handles, signal, call }: ReviveContext,
): unknown {
  if (kind === 'signal') return signal
  if (kind === 'secret') return new Secret(text ?? '')
  if (kind === 'function' && id !== undefined) return (...args: unknown[]) => call(id, args)
  const value = kind === 'reference' ? handles.resolve(reference) : undefined
  if (!value) throw new ConfigurationError('invalid_argument', 'a secret that this window was not given')
  return value
}
