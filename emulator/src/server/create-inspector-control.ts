/** Control plane for the inspector: everything it shows in one response, and requests as they complete. */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { Guild } from '../seed/seed.js'
import type { Controls } from './create-control.js'
import { createDetailsReader } from './request-details.js'
import type { RequestLog } from './request-log.js'

function shownGuild({ id, name, channels, members, roles }: Guild) {
  return {
    id,
    name,
    channels: channels.map((channel) => ({ id: channel.id, name: channel.name })),
    members: members.map((member) => ({
      id: member.userId,
      roles: roles.filter((role) => member.roles.includes(role.id)).map((role) => role.name),
    })),
  }
}

/** Global commands first, then those of each guild. */
function shownCommands({ seed, state }: EmulatorContext) {
  const places = [{ id: undefined, name: undefined }, ...seed.guilds]
  return places.flatMap(({ id: guildId, name: guild }) =>
    state.commands.list({ applicationId: seed.application.id, guildId }).map(({ id, definition }) => ({
      id,
      name: definition.name,
      type: definition.type,
      guild,
      contexts: definition.contexts ?? null,
      permissions: definition.default_member_permissions,
      nsfw: definition.nsfw,
    })),
  )
}

export function createInspectorControl(context: EmulatorContext, log: RequestLog, controls: Controls): Hono {
  const routes = new Hono()
  const readDetails = createDetailsReader(log)
  routes.get('/_emulator/overview', (c) =>
    c.json({
      url: context.url,
      ...context.clock.state(),
      application: { id: context.seed.application.id, name: context.seed.application.name },
      players: context.seed.players.map(({ id, username, globalName }) => ({ id, username, globalName })),
      tokens: context.state.records.countTokens(),
      guilds: context.seed.guilds.map(shownGuild),
      commands: shownCommands(context),
      lobbies: context.state.lobbies.list(),
      faults: controls.faults(),
      limits: controls.limits(),
      activity: controls.activity.url ?? null,
    }),
  )
  routes.get('/_emulator/requests/:serial{\\d+}', (c) => {
    const details = readDetails(Number(c.req.param('serial')), { reveal: c.req.query('reveal') === 'true' })
    c.header('Cache-Control', 'no-store')
    return details === undefined ? c.json({ code: 'unknown_request', message: 'The log has this request no more.' }, 404) : c.json(details)
  })
  routes.get('/_emulator/requests/live', (c) =>
    streamSSE(c, async (stream) => {
      await new Promise<void>((resolve) => {
        const unsubscribe = log.subscribe((request) => void stream.writeSSE({ event: 'request', data: JSON.stringify(request) }))
        stream.onAbort(() => {
          unsubscribe()
          resolve()
        })
        // One event with all earlier requests: a page that connects again misses none.
        void stream.writeSSE({ event: 'requests', data: JSON.stringify(log.list()) })
      })
    }),
  )
  return routes
}
