/** Where an Activity was launched from: what the service puts into the address of its frame (supplement C.1). Pure. */

export interface ActivityLaunch {
  /** The same for everybody who plays together; never used again after the last one left. A seed for a lobby, not a secret. */
  readonly instanceId: string
  /** Names this frame to its host window. */
  readonly frameId: string
  readonly platform: 'desktop' | 'mobile'
  readonly guildId: string | null
  readonly channelId: string | null
  readonly locationId: string | null
  /** What a link into the Activity carried along. Anyone may have written it. */
  readonly customId: string | null
  /** The player whose link led here. */
  readonly referrerId: string | null
}

/** Undefined outside an Activity. `query` is a location's `search`. */
export function parseLaunch(query: string): ActivityLaunch | undefined {
  const parameters = new URLSearchParams(query)
  const text = (name: string) => parameters.get(name)
  const instanceId = text('instance_id')
  const frameId = text('frame_id')
  const platform = text('platform')
  if (!instanceId || !frameId || (platform !== 'desktop' && platform !== 'mobile')) return undefined
  return {
    instanceId,
    frameId,
    platform,
    guildId: text('guild_id'),
    channelId: text('channel_id'),
    locationId: text('location_id'),
    customId: text('custom_id'),
    referrerId: text('referrer_id'),
  }
}
