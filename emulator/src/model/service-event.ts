/** Payload of a user in events. */

/** Event of the service, under the service's own name. */
export interface ServiceEvent {
  /** For example `lobby.created`. */
  name: string
  data: unknown
}

/** @param player a player of the seed, or a provisional account. */
export function eventUser({
  id,
  username,
  globalName,
}: {
  id: string
  username: string
  globalName: string | null
}): Record<string, unknown> {
  return { id, username, avatar: null, discriminator: '0', public_flags: 0, global_name: globalName }
}
