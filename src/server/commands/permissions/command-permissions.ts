/** Command permissions in one guild (docs/interface/command-permissions.md#endpoints): readable for the application, writable for a user. */
import { type CallOptions, checkOptions } from '../../../shared/foundation/options'
import type { Api } from '../../../shared/http/api'
import { CheckedBody } from '../../../shared/http/checked-body'
import type {
  ApplicationCommandPermission,
  GuildApplicationCommandPermissions,
} from '../../../shared/wire/command'
import { decodePermissions, decodePermissionsList } from '../decode-command'
import { validatePermissions } from './validate-permissions'

export interface CommandPermissionsOptions {
  api: Api
  applicationId: string
  guildId: string
}

const LIST = '/applications/{application.id}/guilds/{guild.id}/commands/permissions'
const ONE = '/applications/{application.id}/guilds/{guild.id}/commands/{command.id}/permissions'

/**
 * Command permissions of an application, read-only because only users may change them (docs/interface/command-permissions.md#who-may-edit).
 */
export class CommandPermissions {
  readonly #options: CommandPermissionsOptions

  constructor(options: CommandPermissionsOptions) {
    this.#options = options
  }

  /** Lists the permissions of all commands that have any, and of the application under its own id. */
  async list(options?: CallOptions): Promise<GuildApplicationCommandPermissions[]> {
    const { signal } = checkOptions(options, ['signal'])
    const { api, applicationId, guildId } = this.#options
    const ids = { 'application.id': applicationId, 'guild.id': guildId }
    const { body } = await api.send({ method: 'GET', route: LIST, ids, signal })
    return decodePermissionsList(body, `GET ${LIST}`)
  }

  /** Reads the permissions of one command, or of the application under its own id. */
  async get(commandId: string, options?: CallOptions): Promise<GuildApplicationCommandPermissions> {
    const { signal } = checkOptions(options, ['signal'])
    const { api, applicationId, guildId } = this.#options
    const ids = { 'application.id': applicationId, 'guild.id': guildId, 'command.id': commandId }
    const { body } = await api.send({ method: 'GET', route: ONE, ids, signal })
    return decodePermissions(body, `GET ${ONE}`)
  }
}

/** Command permissions of a user who can manage the guild and its roles. */
export class UserCommandPermissions extends CommandPermissions {
  readonly #options: CommandPermissionsOptions

  constructor(options: CommandPermissionsOptions) {
    super(options)
    this.#options = options
  }

  /**
   * Replaces the permissions of a command, or of the application under its own id. At most 100 entries with distinct targets.
   *
   * @throws ValidationError `invalid_body`. @throws ApiError `user_required`, `missing_scope`, `missing_permission`.
   */
  async set(
    commandId: string,
    permissions: readonly ApplicationCommandPermission[],
    options?: CallOptions,
  ): Promise<GuildApplicationCommandPermissions> {
    const { signal } = checkOptions(options, ['signal'])
    const { api, applicationId, guildId } = this.#options
    const body = CheckedBody.of({ permissions }, { check: (own) => validatePermissions(own, { guildId }) })
    const ids = { 'application.id': applicationId, 'guild.id': guildId, 'command.id': commandId }
    const response = await api.send({ method: 'PUT', route: ONE, ids, body, signal })
    return decodePermissions(response.body, `PUT ${ONE}`)
  }
}
