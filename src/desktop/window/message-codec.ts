/** Codec of a window's messages: tags for secrets, signals and functions. */
import { randomText } from '../../shared/foundation/crypto'
import { ConfigurationError } from '../../shared/foundation/errors'
import { Secret } from '../../shared/foundation/secret'
import { decode, encode, type Tag } from '../contract/tagged-json'
import { WithheldSecret } from '../contract/withheld-secret'

export interface Outgoing {
  text: string
  signals: readonly AbortSignal[]
  /** Functions among the arguments, by id. */
  callbacks: ReadonlyMap<string, (...args: unknown[]) => unknown>
}

export interface MessageCodec {
  send(value: unknown): Outgoing
  /** `session`: the current session, which a tag refers to. */
  receive(text: string, session?: unknown): unknown
}

export interface RemoteValues {
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
