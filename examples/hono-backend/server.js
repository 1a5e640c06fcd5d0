// The game's backend: it has the bot token, and answers interactions.
import { serve } from '@hono/node-server'
import { ApplicationClient, botToken, createInteractionHandler, defineCommand } from 'foyer-sdk/server'
import { Hono } from 'hono'

const {
  FOYER_URL: host,
  FOYER_APPLICATION_ID: applicationId,
  FOYER_BOT_TOKEN: token,
  FOYER_PUBLIC_KEY: publicKey,
  PORT: port,
} = process.env
const application = new ApplicationClient({ applicationId, service: { host }, credentials: botToken(token) })

const score = defineCommand({ name: 'score', description: 'Shows your score' }, ({ user }) => `${user.username} has 42 points.`)
await application.commands.global.sync([score.definition])
const interactions = createInteractionHandler({ publicKey, commands: [score], service: { host } })

const app = new Hono()
app.get('/api/lobbies/:id', async (c) => {
  const lobby = await application.lobbies.get(c.req.param('id'))
  return c.json({ members: lobby.members.length })
})
app.post('/interactions', (c) => interactions(c.req.raw))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
