/** The service as a game's backend sees it, acting for a user who gave it a token. */
import { UserCommandPermissions } from '../commands/command-permissions'
import type { Secret } from '../foundation/secret'
import { userToken } from './credentials'
import { type Backend, type BackendOptions, createBackend } from './options'

/** Options of `new UserClient(…)`. */
export interface UserClientOptions extends BackendOptions {
  /** With the scope `applications.commands.permissions.update`, of a user who may manage the guild and its roles (S:284). */
  accessToken: Secret | string
}

export class UserClient {
  readonly #backend: Backend

  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
  constructor({ accessToken, ...options }: UserClientOptions) {
    this.#backend = createBackend(options, userToken(accessToken))
  }

  /** Who may use the application's commands in a guild. */
  commandPermissions(guildId: string): UserCommandPermissions {
    const { api, applicationId } = this.#backend
    return new UserCommandPermissions({ api, applicationId, guildId })
  }
}
