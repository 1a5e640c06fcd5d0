/** Commands of one scope, global or of one guild (docs/interface/commands.md#endpoints). */
import { type CallOptions, checkOptions, type Optional } from '../../shared/foundation/options'
import { takeOptions } from '../../shared/foundation/take-options'
import { requireId } from '../../shared/foundation/ids'
import { isRecord, isText, ownCopy, ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { Api, ApiCall } from '../../shared/http/api'
import type { HttpResponse, Method } from '../../shared/http/http-client'
import { type BodyCheck, CheckedBody } from '../../shared/http/checked-body'
import { capitalized } from '../../shared/service/service-config'
import type { HeldLock, KeyedMutex } from '../../shared/rate-limit/shared/keyed-mutex'
import type {
  ApplicationCommand,
  CommandEditBody,
  CommandOverwriteBody,
  GuildCommandBody,
} from '../../shared/wire/command'
import { decodeCommand, decodeCommands } from './decode-command'
import { isEntryPoint, planCommands } from './plan/plan-commands'
import type { CommandPlan } from './plan/command-plan'
import { type PlanBodies, type SyncOptions, type SyncResult, syncCommands } from './plan/sync-commands'
import {
  type ValidateCommandOptions,
  validateCommand,
  validateCommands,
} from './validation/validate-commands'

export interface CommandsOptions {
  api: Api
  mutex: Pick<KeyedMutex, 'runExclusive'>
  applicationId: string
  /** Guild of the commands; absent for global commands. */
  guildId?: string
  brand: string
  /** Known properties of the application, for stricter validation. Default: none. */
  application?: ValidateCommandOptions['application'] | undefined
}

/** Options of `list`. */
export interface ListOptions extends CallOptions {
  /** True returns complete dictionaries; otherwise `name_localized` and `description_localized` for one locale. Default: false. */
  withLocalizations?: boolean | undefined
  /** Locale of the texts in a list without dictionaries. Default: the service's choice. */
  locale?: string | undefined
}

/** Options of `edit`. */
export interface EditOptions extends CallOptions {
  /** Type of the edited command. Without it, only rules that apply to all types are checked before sending. */
  knownType?: number | undefined
}

const LIST_OPTIONS: readonly (keyof ListOptions)[] = ['signal', 'withLocalizations', 'locale']
const SYNC_OPTIONS: readonly (keyof SyncOptions)[] = ['signal', 'using', 'allowEmpty', 'onPlan', 'onStep']

type CheckedCommands = CheckedBody<readonly CommandOverwriteBody[]>

/** Characters allowed in a header value. */
const HEADER_VALUE = /^[\x20-\x7e]*$/

/** Result of creating a command. */
export interface Created {
  /** Command as stored by the service. */
  command: ApplicationCommand
  /** False if an existing command of this name and type was overwritten (docs/interface/commands.md#unique-names). */
  created: boolean
}

/**
 * Reads and writes the commands of one scope. Every method validates its input before sending.
 *
 * @throws ValidationError `invalid_body` with all issues. @throws ConfigurationError `invalid_argument` for an invalid id or locale.
 * @throws RateLimitError, ApiError, NetworkError or ProtocolError.
 */
export class Commands<Body extends GuildCommandBody = GuildCommandBody> {
  readonly #options: CommandsOptions

  constructor(options: CommandsOptions) {
    this.#options = ownFields(options)
  }

  /** Lists all commands of the scope. */
  async list(options?: ListOptions): Promise<ApplicationCommand[]> {
    const { withLocalizations = false, locale, signal } = checkOptions(options, LIST_OPTIONS)
    const { brand } = this.#options
    if (locale !== undefined && !isText(locale, HEADER_VALUE))
      throw new ConfigurationError('invalid_argument', 'locale')
    const { body } = await this.#send('GET', {
      signal,
      ...(withLocalizations && { query: { with_localizations: 'true' } }),
      ...(locale !== undefined && { headers: { [`x-${capitalized(brand)}-locale`.toLowerCase()]: locale } }),
    })
    return decodeCommands(body, `GET ${this.#route()}`)
  }

  /** Creates a command, or overwrites the one with the same name and type. */
  async create(command: Body, options?: CallOptions): Promise<Created> {
    const { signal } = checkOptions(options, ['signal'])
    const created = commandBody(command, (own) => validateCommand(own, this.#rules('create')))
    const { status, body } = await this.#send('POST', { body: created, signal })
    return { command: decodeCommand(body, `POST ${this.#route()}`), created: status === 201 }
  }

  /** Reads one command. @throws ApiError `unknown_command`. */
  async get(commandId: string, options?: CallOptions): Promise<ApplicationCommand> {
    const { signal } = checkOptions(options, ['signal'])
    requireId(commandId, 'command.id')
    const { body } = await this.#send('GET', { commandId, signal })
    return decodeCommand(body, `GET ${this.#route({ commandId })}`)
  }

  /** Replaces every given field as a whole. Renaming a command deletes its permissions (docs/interface/command-permissions.md#rules). */
  async edit(
    commandId: string,
    changes: Optional<Omit<Body, 'type'>> & Pick<CommandEditBody, 'type'>,
    options?: EditOptions,
  ): Promise<ApplicationCommand> {
    const { knownType, signal } = checkOptions(options, ['knownType', 'signal'])
    requireId(commandId, 'command.id')
    const rules = { ...this.#rules('edit'), ...(knownType !== undefined && { knownType }) }
    const changed = commandBody(changes, (own) => validateCommand(own, rules))
    const { body } = await this.#send('PATCH', { commandId, body: changed, signal })
    return decodeCommand(body, `PATCH ${this.#route({ commandId })}`)
  }

  /** Deletes a command and, permanently, its permissions. */
  async delete(commandId: string, options?: CallOptions): Promise<void> {
    const { signal } = checkOptions(options, ['signal'])
    requireId(commandId, 'command.id')
    await this.#send('DELETE', { commandId, signal })
  }

  /** Replaces all commands of the scope and deletes those missing from the list. `sync` preserves more. */
  async overwrite(
    commands: readonly (Body & Pick<CommandOverwriteBody, 'id'>)[],
    options?: CallOptions,
  ): Promise<ApplicationCommand[]> {
    const { signal } = checkOptions(options, ['signal'])
    const { body } = await this.#send('PUT', { body: this.#checkAll(commands), signal })
    return decodeCommands(body, `PUT ${this.#route()}`)
  }

  /** Computes the changes that `sync` would make, with one request and no change. */
  async plan(
    desired: readonly (Body & Pick<CommandOverwriteBody, 'id'>)[],
    options?: CallOptions,
  ): Promise<CommandPlan> {
    const { signal } = checkOptions(options, ['signal'])
    return this.#plan(this.#checkAll(desired), signal)
  }

  /**
   * Changes the commands of the scope to the desired ones, with as few changes as possible. Idempotent; after a failure, the next run
   * continues.
   *
   * Calls for the same scope exclude each other, within one client and among all clients that share a `rateLimitStore`: the second one reads
   * the commands after the first one has ended. The lock of a process that dies ends after 11 s. No call starts while the store is
   * unavailable.
   *
   * @throws RateLimitError if the lock is not available within `maxWait`. @throws NetworkError `timed_out` if the lock is lost; what was sent
   *   stays. @throws ConfigurationError `invalid_argument` if the list is empty, there are commands, and `allowEmpty` is not set.
   * @example
   * ```ts
   * const { requests } = await client.commands.global.sync([
   *   { name: 'ping', description: 'Replies with pong' },
   * ])
   * ```
   */
  async sync(
    desired: readonly (Body & Pick<CommandOverwriteBody, 'id'>)[],
    options?: SyncOptions,
  ): Promise<SyncResult> {
    const { signal, allowEmpty, ...progress } = takeOptions({ ...options }, SYNC_OPTIONS)
    const { applicationId, guildId = 'global', mutex } = this.#options
    const checked = this.#checkAll(desired)
    const work = async (lock: HeldLock) => {
      const plan = await this.#plan(checked, lock.signal)
      if (checked.value.length === 0 && allowEmpty !== true) requireNothingToDelete(plan)
      const send: Parameters<typeof syncCommands>[1] = async (method, call) => {
        lock.requireHeld()
        return this.#send(method, { ...call, signal: lock.signal })
      }
      return syncCommands(plan, send, { ...progress, bodies: this.#bodies })
    }
    return mutex.runExclusive(`commands ${applicationId} ${guildId}`, work, { signal, isRenewed: true })
  }

  /** Bodies of a plan's calls, which was checked as desired. An entry point that stays as it is on the service is the service's own. */
  readonly #bodies: PlanBodies = {
    create: (command) => commandBody(command, (own) => validateCommand(own, this.#rules('create'))),
    edit: (changes, knownType) =>
      commandBody(changes, (own) => validateCommand(own, { ...this.#rules('edit'), knownType })),
    overwrite: (commands) =>
      commandBody(commands, () =>
        validateCommands(
          commands.filter((each) => !isEntryPoint(each)),
          this.#rules('overwrite'),
        ),
      ),
  }

  async #plan({ value, warnings }: CheckedCommands, signal: AbortSignal | undefined): Promise<CommandPlan> {
    const existing = await this.list({ withLocalizations: true, ...(signal && { signal }) })
    return planCommands(value, ownCopy(existing), { scope: this.#scope, warnings })
  }

  #checkAll(commands: readonly CommandOverwriteBody[]): CheckedCommands {
    return commandBody(commands, (own) => validateCommands(own, this.#rules('overwrite')))
  }

  get #scope(): 'global' | 'guild' {
    return this.#options.guildId === undefined ? 'global' : 'guild'
  }

  #rules<Operation extends ValidateCommandOptions['operation']>(operation: Operation) {
    const { application } = this.#options
    return { scope: this.#scope, operation, ...(application && { application }) }
  }

  #route({ commandId }: { commandId?: string | undefined } = {}): string {
    const guild = this.#scope === 'guild' ? '/guilds/{guild.id}' : ''
    return `/applications/{application.id}${guild}/commands${commandId === undefined ? '' : '/{command.id}'}`
  }

  #send(
    method: Method,
    { commandId, ...rest }: Omit<ApiCall, 'method' | 'route' | 'ids'> & { commandId?: string },
  ): Promise<HttpResponse> {
    const { api, applicationId, guildId } = this.#options
    const ids = {
      'application.id': applicationId,
      ...(guildId !== undefined && { 'guild.id': guildId }),
      ...(commandId !== undefined && { 'command.id': commandId }),
    }
    return api.send({ method, route: this.#route({ commandId }), ids, ...rest })
  }
}

/** A list is more often empty because its import failed than because every command should go. @throws ConfigurationError `invalid_argument`. */
function requireNothingToDelete({ steps }: CommandPlan): void {
  if (steps.length === 0) return
  throw new ConfigurationError('invalid_argument', 'sync', {
    remedy: `The list is empty, which would delete ${steps.length} commands with their permissions: check its import, or pass { allowEmpty: true }`,
  })
}

const DEFINED =
  'The service takes no handlers. Pass the definition of what defineCommand returned: sync([score.definition])'

/**
 * The checked body of a command. What `defineCommand` returned is refused with a remedy, since handlers cannot be sent.
 * @throws ValidationError `invalid_body` with all issues. @throws ConfigurationError `invalid_argument` for a defined command.
 */
function commandBody<Value>(given: Value, check: BodyCheck): CheckedBody<Value> {
  try {
    return CheckedBody.of(given, { check })
  } catch (error) {
    if ([given].flat().some(isDefined))
      throw new ConfigurationError('invalid_argument', 'command', { remedy: DEFINED })
    throw error
  }
}

/** A getter may throw: such a value is no defined command. */
function isDefined(body: unknown): boolean {
  try {
    return isRecord(body) && isRecord(body['definition'])
  } catch {
    return false
  }
}
