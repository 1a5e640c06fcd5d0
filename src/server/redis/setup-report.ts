/** Reports what in the setup of Redis makes the SDK fail, each fault once: with the reason and the remedy. */
import { type Log, warnInConsole, withoutExceptions } from '../../shared/foundation/log-entry'

/** Commands that a user of Redis needs, as a rule of an access control list. */
const ACL_RULE = '+@read +@write +@scripting +@pubsub +@connection +info +time ~{foyer* &{foyer*'

/** Refusals of a user without rights: of a command, and of one that a script calls, as Redis 6, 7.0 and 7.2 word it. */
const DENIED = /^NOPERM\b|\bThe user executing the script can't\b|\bACL failure in script\b/

/** Methods of an `ioredis` client that tell how the server is set up. */
export interface SetupCommands {
  /** Reads a section of the server's description (`INFO`). */
  info?(section: string): Promise<unknown>
}

/** Watches the first command, and refusals of commands. */
export class SetupReport {
  readonly #redis: SetupCommands
  readonly #log: Log
  #isChecked = false
  #isDenied = false

  constructor(redis: SetupCommands, log: Log = warnInConsole) {
    this.#redis = redis
    this.#log = withoutExceptions(log)
  }

  /** Resolves and rejects like a command. */
  async watch<T>(command: Promise<T>): Promise<T> {
    try {
      const reply = await command
      this.onSuccess()
      return reply
    } catch (error) {
      this.onFailure(error)
      throw error
    }
  }

  /** Called after a command has succeeded. */
  onSuccess(): void {
    if (this.#isChecked) return
    this.#isChecked = true
    // A server that does not allow it cannot be checked.
    void this.#checkEviction().catch(() => undefined)
  }

  /** Called with the error of a command. */
  onFailure(error: unknown): void {
    if (this.#isDenied || !(error instanceof Error) || !DENIED.test(error.message)) return
    this.#isDenied = true
    this.#log('error', 'redis.denied', {
      message: error.message,
      remedy: `The user of Redis needs: ${ACL_RULE}`,
    })
  }

  async #checkEviction(): Promise<void> {
    const memory = String(await this.#redis.info?.('memory'))
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction'
    if (policy === 'noeviction' || /^maxmemory:0\b/m.test(memory)) return
    const remedy =
      'Set maxmemory-policy noeviction: a server that drops keys forgets sent requests, and the limits are exceeded'
    this.#log('warn', 'redis.evicts_keys', { policy, remedy })
  }
}
