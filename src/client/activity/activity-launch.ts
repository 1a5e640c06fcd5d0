/** Launch parameters that the service adds to the frame address of an Activity (docs/interface/activities.md#launch-parameters). Pure. */

/** Launch parameters of an Activity. Unverified, because anyone can edit a URL; verify important values on a backend. */
export interface ActivityLaunch {
  /** Instance id, the same for all who play together; not reused after the last one left. Suitable to derive a lobby, but not a secret. */
  readonly instanceId: string
  /** Id of this frame for its host window. */
  readonly frameId: string
  /** Platform: `desktop` or `mobile`. */
  readonly platform: string
  /** Guild id, if launched in a guild. */
  readonly guildId?: string
  /** Channel id, if launched in a channel. */
  readonly channelId?: string
  /** Id of the launch location. */
  readonly locationId?: string
  /** Custom id of the link that opened the Activity. */
  readonly customId?: string
  /** User id of the player whose link was used. */
  readonly referrerId?: string
  /** Version of the host app on mobile platforms. */
  readonly mobileAppVersion?: string
}

/** Returns null outside an Activity. `query`: the `search` of a location; parameter names are converted to camel case. */
export function parseLaunch(query: string): ActivityLaunch | null {
  const named = Array.from(new URLSearchParams(query), ([name, value]) => [
    name.replace(/_./g, ([, letter = '']) => letter.toUpperCase()),
    value,
  ])
  const { instanceId, frameId, platform, ...rest }: Record<string, string> = Object.fromEntries(named)
  return instanceId && frameId && platform ? { ...rest, instanceId, frameId, platform } : null
}
