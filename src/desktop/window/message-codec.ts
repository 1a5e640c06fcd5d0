/** Reads what the main process sends to a window: values, errors and notices. */
import { randomText } from '../../shared/foundation/crypto'
import {
  ConfigurationError,
  ApiError,
  AuthorizationError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  SessionError,
  ValidationError,
} from '../../shared/foundation/errors'
import { Secret } from '../../shared/foundation/secret'
import { decode, encode, type Tag } from '../contract/tagged-json'
import { WithheldSecret } from '../contract/withheld-secret'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { LobbyEndReason, LobbyMessage, LobbyState } from '../../client/lobbies/lobby-state'

interface Outgoing {
  text: string
  signals: readonly AbortSignal[]
  /** Functions among the arguments, by id. */
  callbacks: ReadonlyMap<string, (...args: unknown[]) => unknown>
}

interface MessageCodec {
  send(value: unknown): Outgoing
  /** `session`: the current session, which a tag refers to. */
  receive(text: string, session?: unknown): unknown
}

interface RemoteValues {
  /** Creates a function that calls a disposer of the main process. */
  borrow: (reference: string) => () => void
  /** The live lobby of a state. */
  lobbyOf: (state: unknown) => unknown
}

/** Creates the codec of one window. It maps placeholders to references of the main process. */
export function createMessageCodec({ borrow, lobbyOf }: RemoteValues): MessageCodec {
  const references = new WeakMap<object, string>()
  const keep = <T extends object>(value: T, reference = ''): T => {
    references.set(value, reference)
    return value
  }
  const fromTag = (tag: Tag, session: unknown): unknown => {
    if (tag.kind === 'secret') return new Secret(tag['text'] ?? '')
    if (tag.kind === 'withheld') return keep(new WithheldSecret(), tag['reference'])
    if (tag.kind === 'session') return session
    if (tag.kind === 'lobby') return lobbyOf(JSON.parse(tag['state'] ?? ''))
    if (tag.kind === 'undo') return borrow(tag['reference'] ?? '')
    if (tag.kind !== 'result')
      throw new ConfigurationError('unsupported', 'another version of foyer-sdk in the main process')
    const { redirectUri } = tag
    return keep(
      { code: new WithheldSecret(), ...(redirectUri !== undefined && { redirectUri }) },
      tag['reference'],
    )
  }
  return {
    send(value) {
      const signals: AbortSignal[] = []
      const callbacks = new Map<string, (...args: unknown[]) => unknown>()
      const text = encode(value, (object) => {
        const reference = references.get(object)
        if (reference !== undefined) return { kind: 'reference', reference }
        if (object instanceof Secret) return { kind: 'secret', text: object.reveal() }
        if (object instanceof AbortSignal) return { kind: 'signal', number: String(signals.push(object)) }
        if (!isFunction(object)) return undefined
        const id = randomText()
        callbacks.set(id, object)
        return { kind: 'function', id }
      })
      return { text, signals, callbacks }
    },
    receive: (text, session) => decode(text, (tag) => fromTag(tag, session)),
  }
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}

/** The main process sends what `toJSON` of a lobby gives. */
function isState(value: unknown): value is LobbyState {
  return isRecord(value) && typeof value['id'] === 'string' && Array.isArray(value['members'])
}

/** @throws ConfigurationError `unsupported`. */
export function requireState(value: unknown): LobbyState {
  if (isState(value)) return value
  throw new ConfigurationError('unsupported', 'another version of foyer-sdk in the main process')
}

export const isMessage = (value: unknown): value is LobbyMessage =>
  isRecord(value) && typeof value['lobbyId'] === 'string'
export const isEndReason = (value: unknown): value is LobbyEndReason => typeof value === 'string'

/** Parses a record of strings. */
export function readTexts(text: string): Readonly<Partial<Record<string, string>>> {
  const fields: unknown = JSON.parse(text)
  return Object.fromEntries(
    Object.entries(isRecord(fields) ? fields : {}).map(([name, field]) => [name, String(field)]),
  )
}

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
