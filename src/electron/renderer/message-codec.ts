/** What of a window's arguments and results is no plain data, and what stands for it on the way. */
import { randomText } from '../../foundation/random'
import { ConfigurationError } from '../../foundation/errors'
import { Secret } from '../../foundation/secret'
import { decode, encode, type Tag } from '../contract/codec'
import { WithheldSecret } from '../contract/withheld-secret'

export interface Outgoing {
  text: string
  signals: readonly AbortSignal[]
  /** Functions among the arguments, by the names that they are called by. */
  callbacks: ReadonlyMap<string, (...args: unknown[]) => unknown>
}

export interface MessageCodec {
  send(value: unknown): Outgoing
  /** `session`: what stands for the present session. */
  receive(text: string, session?: unknown): unknown
}

/** One a window: it remembers what stands for which secret of the main process. `borrow` gives what calls a function of the main process. */
export function createMessageCodec(borrow: (reference: string) => () => void): MessageCodec {
  const references = new WeakMap<object, string>()
  const keep = <T extends object>(value: T, reference = ''): T => {
    references.set(value, reference)
    return value
  }
  const fromMark = (mark: Tag, session: unknown): unknown => {
    if (mark.kind === 'secret') return new Secret(mark['text'] ?? '')
    if (mark.kind === 'withheld') return keep(new WithheldSecret(), mark['reference'])
    if (mark.kind === 'session') return session
    if (mark.kind === 'undo') return borrow(mark['reference'] ?? '')
    if (mark.kind !== 'result') throw new ConfigurationError('unsupported', 'another version of foyer-sdk in the main process')
    const { redirectUri } = mark
    return keep({ code: new WithheldSecret(), ...(redirectUri !== undefined && { redirectUri }) }, mark['reference'])
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
    receive: (text, session) => decode(text, (mark) => fromMark(mark, session)),
  }
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}
