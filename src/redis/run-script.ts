/** Runs Lua scripts by their hash. */

/** Required methods of a Redis client, as of an `ioredis` client or cluster. */
export interface RedisCommands {
  /** Loads a script and resolves with its SHA-1 hash (`SCRIPT LOAD`). */
  script(subcommand: 'LOAD', script: string): Promise<unknown>
  /** Runs a loaded script with keys and arguments (`EVALSHA`). */
  evalsha(sha: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
  /** Runs a script by its source (`EVAL`). */
  eval(script: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
}

/** Runs a script with keys and arguments. */
export type RunScript = (script: string, keys: readonly string[], values: readonly (string | number)[]) => Promise<unknown>

/** Loads each script once and then calls it by its hash. After a restart the server no longer has the script and receives it again. */
export function createScriptRunner(redis: RedisCommands): RunScript {
  const hashes = new Map<string, Promise<string>>()
  return async (script, keys, values) => {
    let hash = hashes.get(script)
    if (!hash) {
      hash = redis.script('LOAD', script).then(String)
      hashes.set(script, hash)
      hash.catch(() => hashes.delete(script))
    }
    try {
      return await redis.evalsha(await hash, keys.length, ...keys, ...values)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(script, keys.length, ...keys, ...values)
    }
  }
}
