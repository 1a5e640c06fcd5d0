// The game's backend: it has the bot token, and answers interactions.
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import {
  ApplicationClient,
  botToken,
  createInteractionHandler,
  createPlayerVerifier,
  defineCommand,
  respondToPlayerError,
} from 'foyer-sdk/server'
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

// An ID token lasts an hour, and comes with a sign-in only: afterwards players send their access token.
const verify = createPlayerVerifier({ applicationId, service: { host }, accessTokens: true })

const app = new Hono()
// Only a member may see a lobby: everybody else gets the same answer as for one that does not exist.
app.get('/api/lobbies/:id', async (c) => {
  const player = await verify(c.req.raw).catch(respondToPlayerError)
  if (player instanceof Response) return player
  const { members } = await application.lobbies.get(c.req.param('id')).catch(() => ({ members: [] }))
  return members.some(({ id }) => id === player.id) ? c.json({ members: members.length }) : c.notFound()
})
app.post('/interactions', (c) => interactions(c.req.raw))
// The built page, for `npm start`. During development Vite serves it.
app.use(serveStatic({ root: './dist' }))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, (address) =>
  console.log(`Backend: http://127.0.0.1:${address.port}/`),
)
