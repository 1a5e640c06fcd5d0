/** Calls a method of a client with arguments that came as JSON. */
import { callAt, findCall } from '../../client/call-paths'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { createSurface } from './create-client'
import { PROPERTIES } from './engine-methods'
import type { EngineSdk } from './engine-types'

export interface Invocation {
  method: string
  argsJson: unknown
  signal: AbortSignal
  /** Lobbies that have ended, by id: their calls say why. */
  ended: ReadonlyMap<string, unknown>
}

/** @throws ConfigurationError `invalid_argument` for text that is not JSON. */
export function parseArguments({ ConfigurationError }: EngineSdk, argsJson: unknown): readonly unknown[] {
  if (argsJson === '') return []
  try {
    if (typeof argsJson !== 'string') throw new TypeError('not a string')
    const value: unknown = JSON.parse(argsJson)
    return Array.isArray(value) ? value : [value]
  } catch {
    throw new ConfigurationError('invalid_argument', 'argsJson', {
      remedy: 'Pass the arguments as a JSON array',
    })
  }
}

/** Returns the method's result. @throws ConfigurationError `unsupported` for other names. */
export function invokeMethod(
  sdk: EngineSdk,
  client: unknown,
  { method, argsJson, signal, ended }: Invocation,
): unknown {
  if (!isRecord(client)) throw unsupported(sdk, method)
  if (PROPERTIES.includes(method)) return propertyAt(client, method)
  const [, optionsAt] = callAt(method) ?? ['none', false]
  if (optionsAt === false) throw unsupported(sdk, method)
  const isLobbyCall = method.startsWith('lobby.')
  const args = [...parseArguments(sdk, argsJson)]
  const found =
    findCall(client, method, args) ??
    findCall({ lobbies: { get: (id: string) => ended.get(id) } }, method, args)
  if (!found) throw isLobbyCall ? noLobby(sdk) : unsupported(sdk, method)
  if (optionsAt !== null) {
    const index = optionsAt + (isLobbyCall ? 1 : 0)
    args[index] = { ...reviveOptions(sdk, args[index]), signal }
  }
  return found.call(args)
}

function propertyAt(client: object, path: string): unknown {
  return path.split('.').reduce<unknown>((owner, name) => (isRecord(owner) ? owner[name] : undefined), client)
}

function noLobby({ ConfigurationError }: EngineSdk) {
  return new ConfigurationError('invalid_argument', 'lobby id', {
    remedy: 'Give the id of a lobby that createOrJoinLobby returned',
  })
}

function unsupported({ ConfigurationError }: EngineSdk, method: string) {
  return new ConfigurationError('unsupported', `engine method ${JSON.stringify(method)}`, {
    remedy:
      'docs/engines.md lists the methods; for others create the client in a script and pass it to engine.use()',
  })
}

function reviveOptions(sdk: EngineSdk, options: unknown): object {
  const { surface, ...rest } = isRecord(options) ? options : {}
  return surface === undefined ? rest : { ...rest, surface: createSurface(sdk, surface) }
}

/** A response of the game's backend as data. */
export async function readResponse(value: unknown): Promise<unknown> {
  return isResponse(value) ? { status: value.status, body: await value.text() } : value
}

const isResponse = (value: unknown): value is Pick<Response, 'status' | 'text'> =>
  isRecord(value) && typeof value['text'] === 'function' && typeof value['status'] === 'number'
