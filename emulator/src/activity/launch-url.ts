/** URL that a frame loads: the game's own, with the parameters of the launch. */
import type { Frame } from './host-window.js'
import { locationId, type Instance } from './instances.js'

export function launchUrl(base: string, { id, extras }: Pick<Frame, 'id' | 'extras'>, instance: Instance): string {
  const { guildId, channelId } = instance.location
  const parameters = {
    instance_id: instance.id,
    frame_id: id,
    platform: extras.platform ?? 'desktop',
    channel_id: channelId,
    guild_id: guildId,
    location_id: locationId(instance.location),
    custom_id: extras.customId,
    referrer_id: extras.referrerId,
  }
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
