/** The service as a game's backend sees it, acting as the application. */
import { type CommandsOptions, Commands } from '../commands/commands'
import { CommandPermissions } from '../commands/permissions/api'
import type { ValidateCommandOptions } from '../commands/validation/validate'
import { InteractionReplies } from '../interactions/replies'
import { ApplicationLobbies } from '../lobbies/application-lobbies'
import type { RateLimitUsage } from '../rate-limit/events'
import type { GlobalCommandBody } from '../wire/command'
import { createInteractionCalls } from './interaction-calls'
import { type Backend, type BackendOptions, type CredentialsSource, createBackend } from './options'

/** Options of `new ApplicationClient(…)`. */
export interface ApplicationClientOptions extends BackendOptions {
  /** `botToken('…')` or `clientCredentials({ … })`. */
  credentials: CredentialsSource
  /** What is known of the application, so that more is checked before it is sent. */
  application?: ValidateCommandOptions['application']
}

/** The commands of an application, wherever they are. */
export interface ApplicationCommands {
  /** Available everywhere, some time after a change. */
  global: Commands<GlobalCommandBody>
  /** Available in one guild, at once. */
  guild(guildId: string): Commands
  /** Who may use the commands in a guild. An application can only look; see `UserClient` (S:284). */
  permissions(guildId: string): CommandPermissions
}

export class ApplicationClient {
  readonly commands: ApplicationCommands
  /** Needs a bot token (S:286). */
  readonly lobbies: ApplicationLobbies
  /** Answers by an interaction's own token. An endpoint made by `createInteractionHandler` needs none of it. */
  readonly interactions: InteractionReplies
  readonly #backend: Backend

  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
  constructor(options: ApplicationClientOptions) {
    const { credentials, application, ...rest } = { ...options }
    this.#backend = createBackend(rest, credentials)
    const { api, applicationId, service } = this.#backend
    const shared: CommandsOptions = { api, applicationId, brand: service.brand, application }
    this.commands = {
      global: new Commands<GlobalCommandBody>(shared),
      guild: (guildId) => new Commands({ ...shared, guildId }),
      permissions: (guildId) => new CommandPermissions({ api, applicationId, guildId }),
    }
    this.lobbies = new ApplicationLobbies(this.#backend, this.#backend.credentials)
    this.interactions = new InteractionReplies(createInteractionCalls(this.#backend, service))
  }

  /** Every limit in use, for a meter. */
  limits(): RateLimitUsage[] {
    return this.#backend.limits()
  }

  /**
   * Ends every block that a refusal by the service has caused, for all who share the budget: for an operator who knows that the service is
   * well again. What was sent stays counted, and one request tries first.
   */
  clearRateLimitBlocks(): Promise<void> {
    return this.#backend.clearBlocks()
  }

  /** Ends calls that wait or are under way, and leaves a shared budget. Calls reject with `closed` from then on. */
  close(): void {
    this.#backend.close()
  }
}
