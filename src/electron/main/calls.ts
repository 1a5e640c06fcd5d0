/** One call of a page: read, made if it is on the list, and always with an outcome that the page may have. */
import type { CoreClient } from '../../client/client'
import { isRecord } from '../../foundation/encoding'
import { ConfigurationError, FoyerError } from '../../foundation/errors'
import { VERBS } from '../contract'
import { isUndo, openMark, readMessage } from './crossing'
import type { Guest } from './guests'

export type Outcome = { value: unknown } | { error: FoyerError }

export interface CallOptions {
  client: CoreClient
  guest: Guest
  /** Calls a function that the page gave. */
  callBack: (id: string, args: readonly unknown[]) => void
}

/** Never rejects. */
export async function makeCall(text: unknown, { client, guest, callBack }: CallOptions): Promise<Outcome> {
  const { memory } = guest
  const call = new AbortController()
  try {
    const opening = { memory, signal: call.signal, call: callBack }
    const { id, verb, args } = requireCall(readMessage(text, (mark) => openMark(mark, opening)))
    if (!memory.begin(id, call)) throw new ConfigurationError('invalid_argument', 'calls')
    try {
      const value = await perform(client, guest, { verb, args, signal: call.signal })
      if (isUndo(value)) memory.lend(id, value)
      // Nobody waits for it any more: what it has begun ends.
      if (call.signal.aborted) memory.undo(id)
      return { value }
    } finally {
      memory.end(id)
    }
  } catch (error) {
    return { error: toOurs(error) }
  }
}

interface Wish {
  verb: string
  args: readonly unknown[]
  signal: AbortSignal
}

async function perform(client: CoreClient, guest: Guest, { verb, args, signal }: Wish): Promise<unknown> {
  if (verb === 'connect') return undefined
  if (verb === 'limits') return client.limits()
  if (verb === 'hold') return held(client.hold(), signal)
  if (verb === 'undo') return guest.memory.undo(String(args[0]))
  const crosses = Object.entries(VERBS).some(([name, allowed]) => allowed && name === verb)
  const method: unknown = crosses ? Reflect.get(client, verb) : undefined
  if (typeof method !== 'function') throw new ConfigurationError('invalid_argument', 'verb')
  // A surface is given the verifier, and says what came back.
  if (args.some((value) => isRecord(value) && value['surface'] !== undefined)) throw new ConfigurationError('invalid_argument', 'surface')
  const given = args.map((value) => guest.memory.original(value))
  const value: unknown = await Reflect.apply(method, client, given)
  return value
}

/** Lasts until the window lets go, or is gone. */
function held(release: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      release()
      resolve()
    })
  })
}

function requireCall(message: unknown): { id: string; verb: string; args: readonly unknown[] } {
  const { id, verb, args } = isRecord(message) ? message : {}
  if (typeof id === 'string' && typeof verb === 'string' && Array.isArray(args)) return { id, verb, args }
  throw new ConfigurationError('invalid_argument', 'message')
}

/** Arguments of a wrong type reach the client as they are, and may break it: that is the caller's fault, and its words stay here. */
export function toOurs(error: unknown): FoyerError {
  return error instanceof FoyerError ? error : new ConfigurationError('invalid_argument', 'call')
}
