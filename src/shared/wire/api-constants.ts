/** Numeric constants of the API (docs/interface/commands.md, docs/interface/command-permissions.md#entries). */

/** Command types. */
export const CommandType = { CHAT_INPUT: 1, USER: 2, MESSAGE: 3, PRIMARY_ENTRY_POINT: 4 } as const

/** Handlers of an entry point: the application, or the service. */
export const EntryPointHandler = { APP_HANDLER: 1, SERVICE_LAUNCH_ACTIVITY: 2 } as const

/** Option types. */
export const OptionType = {
  SUB_COMMAND: 1,
  SUB_COMMAND_GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
} as const

/** Installation types. */
export const InstallContext = { GUILD_INSTALL: 0, USER_INSTALL: 1 } as const

/** Contexts in which a command is available. */
export const InteractionContext = { GUILD: 0, BOT_DM: 1, PRIVATE_CHANNEL: 2 } as const

/** Targets of a permission entry. */
export const PermissionType = { ROLE: 1, USER: 2, CHANNEL: 3 } as const

/** Known channel types, for `channel_types`. */
export const ChannelType = {
  GUILD_TEXT: 0,
  DM: 1,
  GUILD_VOICE: 2,
  GROUP_DM: 3,
  GUILD_CATEGORY: 4,
  GUILD_ANNOUNCEMENT: 5,
  ANNOUNCEMENT_THREAD: 10,
  PUBLIC_THREAD: 11,
  PRIVATE_THREAD: 12,
  GUILD_STAGE_VOICE: 13,
  GUILD_DIRECTORY: 14,
  GUILD_FORUM: 15,
  GUILD_MEDIA: 16,
} as const
