/** Serves the page of an invitation to a guild: the invited player joins with one click. */
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { findUser } from '../../state/find-user.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { addJoinedMembers } from '../../service/guilds/member-permissions.js'
import { document, type Page, pagePolicy } from '../../pages/documents/document.js'
import type { GuildInvite } from '../../state/guild-invites.js'

export function createInviteRoutes(context: EmulatorContext): Hono {
  const routes = new Hono()
  routes.use('/invite/*', async (c, next) => {
    const headers = {
      'Content-Security-Policy': pagePolicy(),
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    await next()
  })
  routes.get('/invite/:code', (c) =>
    withInvite(c, context, (invite) => c.html(invitePage(namesIn(invite, context)))),
  )
  routes.post('/invite/:code', (c) =>
    withInvite(c, context, (invite) => {
      context.state.guildInvites.accept(invite)
      addJoinedMembers(context)
      context.events.emit({
        name: 'guild.member_added',
        data: { guild_id: invite.guildId, user_id: invite.userId },
      })
      return c.html(joinedPage(namesIn(invite, context)))
    }),
  )
  return routes
}

function withInvite(
  c: Context,
  { state, clock }: EmulatorContext,
  respond: (invite: GuildInvite) => Response | Promise<Response>,
): Response | Promise<Response> {
  const invite = state.guildInvites.find(c.req.param('code') ?? '', Math.floor(clock.now()))
  return invite === undefined ? c.html(overPage(), 404) : respond(invite)
}

interface Names {
  guild: string
  player: string
}

function namesIn({ guildId, userId }: GuildInvite, context: EmulatorContext): Names {
  const player = findUser(userId, context)
  const guild = context.seed.guilds.find(({ id }) => id === guildId)
  return { guild: guild?.name ?? guildId, player: player?.globalName ?? player?.username ?? userId }
}

function invitePage({ guild, player }: Names): Page {
  return document({
    heading: `Join ${guild}`,
    intro: html`<b>${player}</b> is invited to <b>${guild}</b>. The invitation can be used once, within an
      hour.`,
    body: html`<form method="post" class="answer">
      <div class="actions"><button class="primary">Join as ${player}</button></div>
    </form>`,
  })
}

function joinedPage({ guild, player }: Names): Page {
  return document({
    heading: 'Joined',
    intro: html`<b>${player}</b> is now a member of <b>${guild}</b>. You can close this window.`,
    tone: 'good',
  })
}

function overPage(): Page {
  return document({
    heading: 'This invitation is over',
    intro: html`It was used before, it is older than an hour, or it never existed. The game can create another
    one.`,
    tone: 'bad',
  })
}
