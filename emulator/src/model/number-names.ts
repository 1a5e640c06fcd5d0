/** Names of the API's numbers, for messages about a name in place of its number. */
export type NumberNames = Readonly<Record<string, number>>

/** Numbers from `first`, in the order of their names. */
const numbered = (first: number, names: string): NumberNames =>
  Object.fromEntries(names.split(' ').map((name, index) => [name, first + index]))

export const COMMAND_TYPES = numbered(1, 'CHAT_INPUT USER MESSAGE PRIMARY_ENTRY_POINT')
export const OPTION_TYPES = numbered(
  1,
  'SUB_COMMAND SUB_COMMAND_GROUP STRING INTEGER BOOLEAN USER CHANNEL ROLE MENTIONABLE NUMBER ATTACHMENT',
)
export const INSTALL_TYPES = numbered(0, 'GUILD_INSTALL USER_INSTALL')
export const CONTEXTS = numbered(0, 'GUILD BOT_DM PRIVATE_CHANNEL')
export const PERMISSION_TYPES = numbered(1, 'ROLE USER CHANNEL')
export const BUTTON_STYLES = numbered(1, 'PRIMARY SECONDARY SUCCESS DANGER LINK PREMIUM')
export const TEXT_STYLES = numbered(1, 'SHORT PARAGRAPH')
export const COMPONENT_TYPES: NumberNames = {
  ...numbered(
    1,
    'ACTION_ROW BUTTON STRING_SELECT TEXT_INPUT USER_SELECT ROLE_SELECT MENTIONABLE_SELECT CHANNEL_SELECT SECTION TEXT_DISPLAY THUMBNAIL MEDIA_GALLERY FILE SEPARATOR',
  ),
  ...numbered(17, 'CONTAINER LABEL FILE_UPLOAD'),
  ...numbered(21, 'RADIO_GROUP CHECKBOX_GROUP CHECKBOX'),
}
