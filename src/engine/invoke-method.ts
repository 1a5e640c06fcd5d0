/** Calls a method of a client with arguments that came as JSON. */
import { isRecord } from '../foundation/values/guard-untrusted-values'
import { createSurface } from './create-client'
import { METHODS } from './engine-methods'
import type { EngineSdk } from './engine-types'

export interface Invocation {
  method: string
  argsJson: unknown
  signal: AbortSignal
}

/** @throws ConfigurationError `invalid_argument` for text that is not JSON. */
export function parseArguments({ ConfigurationError }: EngineSdk, argsJson: unknown): readonly unknown[] {
  if (argsJson === '') return []
  try {
    if (typeof argsJson !== 'string') throw new TypeError('not a string')
    const value: unknown = JSON.parse(argsJson)
    return Array.isArray(value) ? value : [value]
  } catch {
    throw new ConfigurationError('invalid_argument', 'argsJson', { remedy: 'Pass the arguments as a JSON array' })
  }
}

/** Returns the method's result. @throws ConfigurationError `unsupported` for other names. */
export function invokeMethod(sdk: EngineSdk, client: unknown, { method, argsJson, signal }: Invocation): unknown {
  const optionsAt = Object.entries(METHODS).find(([name]) => name === method)?.[1]
  if (optionsAt === undefined || optionsAt === false || !isRecord(client)) throw unsupported(sdk, method)
  const member = client[method]
  if (typeof member !== 'function') return member
  const args = [...parseArguments(sdk, argsJson)]
  if (optionsAt !== null) args[optionsAt] = { ...reviveOptions(sdk, args[optionsAt]), signal }
  return member.apply(client, args)
}

function unsupported({ ConfigurationError }: EngineSdk, method: string) {
  return new ConfigurationError('unsupported', `engine method ${JSON.stringify(method)}`, {
    remedy: 'docs/engines.md lists the methods; for others create the client in a script and pass it to engine.use()',
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
