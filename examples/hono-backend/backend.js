// The game's backend: it signs players in with the client secret, and answers interactions.
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createInteractionHandler,
  createPlayerVerifier,
  createSessionHandler,
  defineCommand,
  memorySessionStore,
  respondToPlayerError,
} from 'foyer-sdk/server'
import { Hono } from 'hono'

const score = defineCommand(
  { name: 'score', description: 'Shows your score' },
  ({ user }) => `${user.username} has 42 points.`,
)

/** A lobby that cannot be read has no members, but a failure that passes is one. */
const answerForNobody = (error) => (error.retryable ? respondToPlayerError(error) : { members: [] })

export async function createBackend({ host, applicationId, secret, token, publicKey, origin }) {
  const own = { applicationId, service: { host } }
  const application = new ApplicationClient({ ...own, credentials: botToken(token) })
  await application.commands.global.sync([score.definition])
  const interactions = createInteractionHandler({ publicKey, commands: [score], service: { host } })
  // It keeps the refresh tokens. Sessions that outlive this process need redisSessionStore of foyer-sdk/redis.
  const credentials = clientSecret(secret)
  const session = createSessionHandler({
    ...own,
    credentials,
    origins: [origin],
    store: memorySessionStore(),
  })
  const verify = createPlayerVerifier({ ...own, accessTokens: true })

  return (
    new Hono()
      .all('/session/*', (c) => session(c.req.raw))
      .post('/interactions', (c) => interactions(c.req.raw))
      // Only a member may see a lobby: everybody else gets the same answer as for one that does not exist.
      .get('/api/lobbies/:id', async (c) => {
        const player = await verify(c.req.raw).catch(respondToPlayerError)
        if (player instanceof Response) return player
        // In the name of the player: whoever asks too often is answered with 503, and takes nothing from others.
        const lobby = await application.lobbies
          .get(c.req.param('id'), { onBehalfOf: player.id })
          .catch(answerForNobody)
        if (lobby instanceof Response) return lobby
        const { members } = lobby
        return members.some(({ id }) => id === player.id) ? c.json({ members: members.length }) : c.notFound()
      })
  )
}
