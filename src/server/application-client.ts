/** Client for game backends that acts as the application. */
import { type CommandsOptions, Commands } from './commands/commands'
import { ConfigurationError } from '../shared/foundation/errors'
import { bindMethods, createTyped } from '../shared/foundation/options'
import { CommandPermissions } from './commands/permissions/command-permissions'
import type { ValidateCommandOptions } from './commands/validation/validate-commands'
import { InteractionReplies } from './interactions/interaction-replies'
import { ApplicationLobbies } from './lobbies/application-lobbies'
import type { Secret } from '../shared/foundation/secret'
import type { RateLimitUsage } from '../shared/rate-limit/limiter-events'
import type { GlobalCommandBody } from '../shared/wire/command'
import { type ActivityInstances, createActivityInstances } from './activity-instances'
import { type ApplicationUsers, createApplicationUsers } from './application-users'
import { Purchases } from './purchases/purchases'
import { createProvisionalAccounts, type ProvisionalAccounts } from './provisional-accounts'
import { createInteractionCalls } from './create-interaction-calls'
import { type ApplicationTokens, createApplicationTokens } from './sessions/application-tokens'
import { awaitedMethods } from './requests/to-be-awaited'
import { requireToken } from './backend-credentials'
import { type Backend, type BackendOptions, type CredentialsSource, createBackend } from './backend-options'
import { ownFields } from '../shared/foundation/untrusted-values'

/** Options of `new ApplicationClient(…)`. */
export interface ApplicationClientOptions extends BackendOptions {
  /** Credentials of the application: `botToken('…')`, `clientCredentials({ … })`, or for `tokens` alone `clientSecret('…')`. */
  credentials: CredentialsSource
  /** Client secret of the application, for `tokens`. Default: that of the credentials, if they hold one. */
  clientSecret?: Secret | string | undefined
  /** Known properties of the application, for stricter validation before sending. Default: none. */
  application?: ValidateCommandOptions['application']
}

/** Access to the commands of an application by scope. */
export interface ApplicationCommands {
  /** Global commands. Changes take effect with a delay. */
  global: Commands<GlobalCommandBody>
  /** Commands of one guild. Changes take effect at once. */
  guild(guildId: string): Commands
  /**
   * Command permissions in a guild, read-only for applications; see `UserClient` for changes
   * (docs/interface/command-permissions.md#who-may-edit).
   */
  permissions(guildId: string): CommandPermissions
}

/**
 * Client for game backends that acts as the application: commands, lobbies and interaction responses.
 *
 * @example
 * ```ts
 * const client = new ApplicationClient({
 *   applicationId: '1234567890123456789',
 *   service: { host: 'https://service.example' },
 *   credentials: botToken(process.env.FOYER_BOT_TOKEN),
 * })
 * const lobby = await client.lobbies.create({ metadata: { mode: 'ranked' } })
 * client.close()
 * ```
 */
export class ApplicationClient {
  /** Id of the application. */
  readonly applicationId: string
  /** Commands of the application, and their permissions. */
  readonly commands: ApplicationCommands
  /** Lobbies of the application. Requires a bot token (docs/interface/lobbies.md#authentication). */
  readonly lobbies: ApplicationLobbies
  /** Running Activities of the application. Requires a bot token. */
  readonly activityInstances: ActivityInstances
  /** Users by id, for example the names of a player. Requires a bot token. */
  readonly users: ApplicationUsers
  /** Products, and what players own of them. Requires a bot token. */
  readonly purchases: Purchases
  /** Accounts for players without one, by their id in the game's own accounts. Requires a bot token. */
  readonly provisionalAccounts: ProvisionalAccounts
  /** Tokens of players: code exchange, refresh, revocation and accounts, for a backend that holds them. Requires the client secret. */
  readonly tokens: ApplicationTokens
  /** Responses by an interaction's own token. Not needed with `createInteractionHandler`. */
  readonly interactions: InteractionReplies
  readonly #backend: Backend

  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`; `unsupported` in a page. */
  constructor(options: ApplicationClientOptions) {
    bindMethods(this)
    const { credentials, application, clientSecret, ...rest } = createTyped('options', () =>
      ownFields({ ...options }),
    )
    this.#backend = createTyped('options', () => createBackend(rest, credentials))
    const { api, applicationId, service } = this.#backend
    const shared: CommandsOptions = {
      api,
      mutex: this.#backend,
      applicationId,
      brand: service.brand,
      application,
    }
    this.applicationId = applicationId
    this.commands = withoutScope({
      global: awaitedMethods('commands', new Commands<GlobalCommandBody>(shared), 'sync'),
      // Without an id they would be the global ones: every call of an empty one is refused.
      guild: (guildId) =>
        awaitedMethods('commands', new Commands({ ...shared, guildId: guildId ?? '' }), 'sync'),
      permissions: (guildId) =>
        awaitedMethods('permissions', new CommandPermissions({ api, applicationId, guildId })),
    })
    this.lobbies = awaitedMethods(
      'lobbies',
      new ApplicationLobbies(this.#backend, this.#backend),
      'updateMetadata',
    )
    this.activityInstances = awaitedMethods(
      'activityInstances',
      createActivityInstances({ api, applicationId }),
    )
    this.users = awaitedMethods('users', createApplicationUsers({ api }))
    this.purchases = awaitedMethods('purchases', new Purchases(this.#backend))
    this.provisionalAccounts = awaitedMethods('provisionalAccounts', createProvisionalAccounts(this.#backend))
    const secret =
      clientSecret === undefined
        ? this.#backend.credentials.clientSecret
        : createTyped('clientSecret', () => requireToken(clientSecret, 'clientSecret'))
    this.tokens = awaitedMethods(
      'tokens',
      createApplicationTokens({ ...this.#backend, clientSecret: secret }),
    )
    this.interactions = awaitedMethods(
      'interactions',
      new InteractionReplies(createInteractionCalls(this.#backend, service)),
    )
  }

  /** Returns the current usage of every rate limit, for example for a display. */
  limits(): RateLimitUsage[] {
    return this.#backend.limits()
  }

  /**
   * Removes every block caused by a refusal of the service, for all clients that share the store; for an operator after an outage. Sent
   * requests stay counted, and a single request is sent first as a probe.
   */
  clearRateLimitBlocks(): Promise<void> {
    return this.#backend.clearBlocks()
  }

  /** Aborts pending calls and leaves a shared store. Later calls reject with `closed`. */
  close(): void {
    this.#backend.close()
  }
}

/** Methods of a scope that plain JavaScript calls without one are refused with both. */
function withoutScope(commands: ApplicationCommands): ApplicationCommands {
  for (const name of Object.getOwnPropertyNames(Commands.prototype).filter((each) => each !== 'constructor'))
    Object.defineProperty(commands, name, {
      value: async () => {
        throw new ConfigurationError('invalid_argument', `commands.${name}`, {
          remedy: `Call commands.global.${name}(…), or commands.guild(guildId).${name}(…)`,
        })
      },
    })
  return commands
}
