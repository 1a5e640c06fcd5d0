/** The permissions of an application's commands in one guild (S:250-255): reading for the application, setting for a user. */
import type { Api } from '../../http/api'
import type { ApplicationCommandPermission, GuildApplicationCommandPermissions } from '../../wire/command'
import type { CallOptions } from '../commands'
import { decodePermissions, decodePermissionsList } from '../decode'
import { validatePermissions } from './validate'
import { assertValid } from '../assert-valid'

export interface CommandPermissionsOptions {
  api: Api
  applicationId: string
  guildId: string
}

const LIST = '/applications/{application.id}/guilds/{guild.id}/commands/permissions'
const ONE = '/applications/{application.id}/guilds/{guild.id}/commands/{command.id}/permissions'

/** What an application may do: look. Only a user may change permissions (S:284), so there is nothing here that could. */
export class CommandPermissions {
  readonly #options: CommandPermissionsOptions

  constructor(options: CommandPermissionsOptions) {
    this.#options = options
  }

  /** Of every command that has any, and of the application itself under its own id. */
  async list(options?: CallOptions): Promise<GuildApplicationCommandPermissions[]> {
    const { signal } = { ...options }
    const { api, applicationId, guildId } = this.#options
    const ids = { 'application.id': applicationId, 'guild.id': guildId }
    const { body } = await api.send({ method: 'GET', route: LIST, ids, signal })
    return decodePermissionsList(body, `GET ${LIST}`)
  }

  /** Of one command, or of the application under its own id. */
  async get(commandId: string, options?: CallOptions): Promise<GuildApplicationCommandPermissions> {
    const { signal } = { ...options }
    const { api, applicationId, guildId } = this.#options
    const ids = { 'application.id': applicationId, 'guild.id': guildId, 'command.id': commandId }
    const { body } = await api.send({ method: 'GET', route: ONE, ids, signal })
    return decodePermissions(body, `GET ${ONE}`)
  }
}

/** What a user may do who manages the guild and its roles. */
export class UserCommandPermissions extends CommandPermissions {
  readonly #options: CommandPermissionsOptions

  constructor(options: CommandPermissionsOptions) {
    super(options)
    this.#options = options
  }

  /**
   * Replaces the permissions of a command; of the whole application under its own id. At most 100, each target once.
   * @throws ValidationError `invalid_body`. @throws ApiError `user_required`, `missing_scope`, `missing_permission`.
   */
  async set(
    commandId: string,
    permissions: readonly ApplicationCommandPermission[],
    options?: CallOptions,
  ): Promise<GuildApplicationCommandPermissions> {
    const { signal } = { ...options }
    const { api, applicationId, guildId } = this.#options
    const body = { permissions }
    assertValid(validatePermissions(body, { guildId }), body)
    const ids = { 'application.id': applicationId, 'guild.id': guildId, 'command.id': commandId }
    const answer = await api.send({ method: 'PUT', route: ONE, ids, body, signal })
    return decodePermissions(answer.body, `PUT ${ONE}`)
  }
}
