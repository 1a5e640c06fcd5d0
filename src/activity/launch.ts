/** Where an Activity was launched from: what the service puts into the address of its frame (supplement C.1). Pure. */

/** Anyone can write an address: verify on a backend whatever matters. */
export interface ActivityLaunch {
  /** The same for everybody who plays together; never used again after the last one left. A seed for a lobby, not a secret. */
  readonly instanceId: string
  /** Names this frame to its host window. */
  readonly frameId: string
  /** `desktop` or `mobile`. */
  readonly platform: string
  readonly guildId?: string
  readonly channelId?: string
  readonly locationId?: string
  /** What a link into the Activity carried along. */
  readonly customId?: string
  /** The player whose link led here. */
  readonly referrerId?: string
  readonly mobileAppVersion?: string
}

/** Null outside an Activity. `query` is a location's `search`; its names turn into camel case. */
export function parseLaunch(query: string): ActivityLaunch | null {
  const named = Array.from(new URLSearchParams(query), ([name, value]) => [
    name.replace(/_./g, ([, letter = '']) => letter.toUpperCase()),
    value,
  ])
  const { instanceId, frameId, platform, ...rest }: Record<string, string> = Object.fromEntries(named)
  return instanceId && frameId && platform ? { ...rest, instanceId, frameId, platform } : null
}
