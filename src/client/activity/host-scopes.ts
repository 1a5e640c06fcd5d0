/** Scopes that the host window asks for, by the command or event as the protocol writes it (docs/interface/activities.md#host-commands). */

/** One table, so that a command with a method, one without, and a subscription say the same. */
const HOST_SCOPES: Readonly<Record<string, string>> = {
  GET_CHANNEL: 'guilds',
  GET_CHANNEL_PERMISSIONS: 'guilds.members.read',
  GET_RELATIONSHIPS: 'relationships.read',
  INVITE_USER_EMBEDDED: 'relationships.read',
  SET_ACTIVITY: 'rpc.activities.write',
  USER_SETTINGS_GET_LOCALE: 'identify',
  CURRENT_GUILD_MEMBER_UPDATE: 'identify guilds.members.read',
  CURRENT_USER_UPDATE: 'identify',
  RELATIONSHIP_UPDATE: 'relationships.read',
  SPEAKING_START: 'rpc.voice.read',
  SPEAKING_STOP: 'rpc.voice.read',
  VOICE_STATE_UPDATE: 'rpc.voice.read',
}
const OF_PLAYER = 'The player may not do this here: see cause'

/** Returns the remedy of `invalid_permissions`. */
export function permissionRemedy(name: string): string {
  const scopes = HOST_SCOPES[name]
  if (scopes !== undefined)
    return `Sign in with the scope ${scopes} too, and give the host the token: setPresence() does, and host.authenticate({ accessToken })`
  return NEEDS_TOKEN.has(name) ? 'Give the host a token first: host.authenticate({ accessToken })' : OF_PLAYER
}

/** Commands that need a token of any scope. */
const NEEDS_TOKEN: ReadonlySet<string> = new Set(['GET_USER', 'OPEN_SHARE_MOMENT_DIALOG'])
