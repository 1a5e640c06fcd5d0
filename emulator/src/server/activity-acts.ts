/** Control-plane requests about the Activity. */
import type { ActivityControls } from '../activity/activity-controls.js'
import { readPlayerChange } from '../activity/read-player-change.js'
import { isRelationshipKind } from '../activity/relationship-store.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { textOf } from '../foundation/type-guards.js'

type Act = (body: Record<string, unknown>) => unknown

export function activityActs(activity: ActivityControls): Record<string, Act> {
  return {
    'activity/launch': ({ as, channel, customId, referrerId, platform }) => {
      const names = [as].flat().filter((name) => typeof name === 'string')
      const extras = {
        customId: textOf(customId),
        referrerId: textOf(referrerId),
        platform: platform === 'mobile' ? 'mobile' : 'desktop',
      } as const
      return activity.launch({ as: names, channel: textOf(channel), ...extras })
    },
    'activity/join': ({ as, secret }) => activity.join({ as: textOf(as) ?? '', secret: textOf(secret) ?? '' }),
    'activity/disconnect': ({ as, code, message }) =>
      activity.disconnect({ as: textOf(as) ?? '', code: Number(code ?? 1000), message: textOf(message) ?? '' }),
    'activity/player': (body) => activity.setPlayer(readPlayerChange(body)),
    'activity/relate': ({ as, with: other, kind }) => {
      if (!isRelationshipKind(kind)) throw new EmulatorError('bad_request', 'kind is none, friend, blocked, incoming or outgoing.')
      return activity.relate({ as: textOf(as) ?? '', with: textOf(other) ?? '', kind })
    },
    'activity/accept': ({ as, invitation }) => activity.accept({ as: textOf(as) ?? '', invitation: textOf(invitation) ?? '' }),
    'activity/enroll': ({ as, quest }) => activity.enroll({ as: textOf(as) ?? '', quest: textOf(quest) }),
  }
}
