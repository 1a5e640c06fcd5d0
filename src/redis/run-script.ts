/** Runs Lua scripts by their hash. */
import { type ReplaceableConnection, replaceSilentConnection } from './replace-silent-connection'

/** Required methods of a Redis client, as of an `ioredis` client or cluster. */
export interface RedisCommands extends ReplaceableConnection {
  /** Loads a script and resolves with its SHA-1 hash (`SCRIPT LOAD`). */
  script(subcommand: 'LOAD', script: string): Promise<unknown>
  /** Runs a loaded script with keys and arguments (`EVALSHA`). */
  evalsha(sha: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
  /** Runs a script by its source (`EVAL`). */
  eval(script: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
}

/** A script with something to do before it runs on a server that has forgotten it. */
export interface ForgettableScript {
  readonly source: string
  /** Called on a server that was restarted, or a replica that took over: either may lack the last writes. */
  readonly onForgotten: () => Promise<unknown>
}

/** Runs a script with keys and arguments. */
export type RunScript = (
  script: string | ForgettableScript,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>

/** Loads each script once and then calls it by its hash. After a restart the server no longer has the script and receives it again. */
export function createScriptRunner(redis: RedisCommands): RunScript {
  const watch = replaceSilentConnection(redis)
  const hashes = new Map<string, Promise<string>>()
  /** Scripts that have run. In a cluster the first call may reach another server than the one that has loaded it. */
  const known = new Set<string>()
  const hashOf = (source: string): Promise<string> => {
    const hash = hashes.get(source) ?? watch(redis.script('LOAD', source)).then(String)
    if (!hashes.has(source)) hash.catch(() => hashes.delete(source))
    hashes.set(source, hash)
    return hash
  }
  return async (script, keys, values) => {
    const { source, onForgotten } = typeof script === 'string' ? { source: script, onForgotten: undefined } : script
    try {
      const hash = await hashOf(source)
      const reply = await watch(redis.evalsha(hash, keys.length, ...keys, ...values))
      known.add(source)
      return reply
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      if (known.has(source)) await onForgotten?.()
      return watch(redis.eval(source, keys.length, ...keys, ...values))
    }
  }
}
