/** The commands of one scope, global or of one guild, over the service's REST interface (S:210-250). */
import { isText } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import type { Api, ApiAnswer, ApiCall, Method } from '../http/api'
import { capitalized } from '../http/user-agent'
import type { ApplicationCommand, CommandOverwriteBody, GuildCommandBody } from '../wire/command'
import { decodeCommand, decodeCommands } from './decode'
import { planCommands } from './plan/plan'
import type { CommandPlan } from './plan/plan-steps'
import { assertValid } from './assert-valid'
import { type SyncOptions, type SyncResult, syncCommands } from './plan/sync'
import { type ValidateCommandOptions, validateCommand, validateCommands } from './validation/validate'

export interface CommandsOptions {
  api: Api
  applicationId: string
  /** Absent for global commands. */
  guildId?: string
  brand: string
  /** What is known of the application, for checks before anything is sent. */
  application?: ValidateCommandOptions['application'] | undefined
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface ListOptions extends CallOptions {
  /** `true`: with whole dictionaries. Otherwise with `name_localized` and `description_localized` for one locale. */
  withLocalizations?: boolean
  /** Whose texts a list without dictionaries holds. */
  locale?: string
}

export interface EditOptions extends CallOptions {
  /** The type of the command. Without it only what holds for every type is checked before the request. */
  knownType?: number
}

/** What a header can carry. */
const HEADER_VALUE = /^[\x20-\x7e]*$/

/** A command, and whether there was none of its name before. */
export interface Created {
  command: ApplicationCommand
  /** `false`: an existing command of this name and type was overwritten (S:272). */
  created: boolean
}

/**
 * Every method checks its input before it sends anything, and rejects with a ValidationError `invalid_body` that holds all issues; then with
 * what `Api` rejects with: ApiError, NetworkError, ProtocolError, ConfigurationError `invalid_argument` for an id or a locale that is none.
 */
export class Commands<Body extends GuildCommandBody = GuildCommandBody> {
  readonly #options: CommandsOptions

  constructor(options: CommandsOptions) {
    this.#options = options
  }

  async list(options?: ListOptions): Promise<ApplicationCommand[]> {
    const { withLocalizations = false, locale, signal } = { ...options }
    const { brand } = this.#options
    if (locale !== undefined && !isText(locale, HEADER_VALUE)) throw new ConfigurationError('invalid_argument', 'locale')
    const { body } = await this.#send('GET', {
      signal,
      ...(withLocalizations && { query: { with_localizations: 'true' } }),
      ...(locale !== undefined && { headers: { [`x-${capitalized(brand)}-locale`.toLowerCase()]: locale } }),
    })
    return decodeCommands(body, `GET ${this.#route()}`)
  }

  /** Creates a command, or overwrites the one that has its name and type. */
  async create(command: Body, options?: CallOptions): Promise<Created> {
    const { signal } = { ...options }
    assertValid(validateCommand(command, this.#rules('create')), command)
    const { status, body } = await this.#send('POST', { body: command, signal })
    return { command: decodeCommand(body, `POST ${this.#route()}`), created: status === 201 }
  }

  async get(commandId: string, options?: CallOptions): Promise<ApplicationCommand> {
    const { signal } = { ...options }
    const { body } = await this.#send('GET', { commandId, signal })
    return decodeCommand(body, `GET ${this.#route({ commandId })}`)
  }

  /** Every field that is given overwrites the old one as a whole. Another name is a rename, which costs the command its permissions (S:164). */
  async edit(commandId: string, changes: Partial<Omit<Body, 'type'>>, options?: EditOptions): Promise<ApplicationCommand> {
    const { knownType, signal } = { ...options }
    assertValid(validateCommand(changes, { ...this.#rules('edit'), ...(knownType !== undefined && { knownType }) }), changes)
    const { body } = await this.#send('PATCH', { commandId, body: changes, signal })
    return decodeCommand(body, `PATCH ${this.#route({ commandId })}`)
  }

  /** Deletes a command and, for good, its permissions. */
  async delete(commandId: string, options?: CallOptions): Promise<void> {
    const { signal } = { ...options }
    await this.#send('DELETE', { commandId, signal })
  }

  /** Replaces all commands of the scope. What is missing from the list is deleted; `sync` keeps more. */
  async overwrite(commands: readonly (Body & Pick<CommandOverwriteBody, 'id'>)[], options?: CallOptions): Promise<ApplicationCommand[]> {
    const { signal } = { ...options }
    assertValid(validateCommands(commands, this.#rules('overwrite')), commands)
    const { body } = await this.#send('PUT', { body: commands, signal })
    return decodeCommands(body, `PUT ${this.#route()}`)
  }

  /** Tells what `sync` would change, with one request and without changing anything. */
  async plan(desired: readonly (Body & Pick<CommandOverwriteBody, 'id'>)[], options?: CallOptions): Promise<CommandPlan> {
    const { signal } = { ...options }
    const issues = validateCommands(desired, this.#rules('overwrite'))
    assertValid(issues, desired)
    const existing = await this.list({ withLocalizations: true, ...(signal && { signal }) })
    return planCommands(desired, existing, { scope: this.#scope, warnings: issues.filter(({ level }) => level === 'warning') })
  }

  /** Makes the scope hold what is desired, changing nothing else. A second run changes nothing; after a fault the next run goes on. */
  async sync(desired: readonly (Body & Pick<CommandOverwriteBody, 'id'>)[], options?: SyncOptions): Promise<SyncResult> {
    const { signal } = { ...options }
    const plan = await this.plan(desired, signal ? { signal } : {})
    return syncCommands(plan, (method, call) => this.#send(method, { ...call, signal }), { ...options })
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

  #send(method: Method, { commandId, ...rest }: Omit<ApiCall, 'method' | 'route' | 'ids'> & { commandId?: string }): Promise<ApiAnswer> {
    const { api, applicationId, guildId } = this.#options
    const ids = {
      'application.id': applicationId,
      ...(guildId !== undefined && { 'guild.id': guildId }),
      ...(commandId !== undefined && { 'command.id': commandId }),
    }
    return api.send({ method, route: this.#route({ commandId }), ids, ...rest })
  }
}
