/** Runs Lua scripts by their hash. */
import type { SetupCommands, SetupReport } from './setup-report'
import { type ReplaceableConnection, watchConnection } from './watch-connection'

/** Required methods of a Redis client, as of an `ioredis` client or cluster. */
export interface RedisCommands extends ReplaceableConnection, SetupCommands {
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

/**
 * Sends each script once, and then calls it by its hash. After a restart the server no longer has the script and receives it again. The
 * command is sent before the function returns: one that precedes `quit()` reaches the server.
 */
export function createScriptRunner(redis: RedisCommands, setup: SetupReport): RunScript {
  const watch = watchConnection(redis)
  const hashes = new Map<string, string>()
  const loading = new Set<string>()
  /** Scripts that have run. In a cluster, another server than theirs may have loaded them. */
  const known = new Set<string>()
  const load = (source: string): void => {
    if (loading.has(source)) return
    loading.add(source)
    const onLoaded = (hash: unknown) => hashes.set(source, String(hash))
    // Until it is loaded, the source is sent.
    watch(redis.script('LOAD', source)).then(onLoaded, () => loading.delete(source))
  }
  const send = (
    source: string,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> => {
    const hash = hashes.get(source)
    if (hash !== undefined) return watch(redis.evalsha(hash, keys.length, ...keys, ...values))
    load(source)
    return watch(redis.eval(source, keys.length, ...keys, ...values))
  }
  return async (script, keys, values) => {
    const { source, onForgotten } =
      typeof script === 'string' ? { source: script, onForgotten: undefined } : script
    try {
      const reply = await send(source, keys, values)
      known.add(source)
      setup.onSuccess()
      return reply
    } catch (error) {
      setup.onFailure(error)
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      if (known.has(source)) await onForgotten?.()
      return watch(redis.eval(source, keys.length, ...keys, ...values))
    }
  }
}
