// The shop's backend: it verifies who asks, and grants what the service states was bought.
import {
  ApplicationClient,
  botToken,
  createEventHandler,
  createPlayerVerifier,
  createPurchaseDesk,
  memoryPurchaseStore,
  respondToPlayerError,
} from 'foyer-sdk/server'
import { createItems } from './items.js'

/**
 * @param {{ host: string, applicationId: string, token: string, publicKey: string, folder: string, allowTest: boolean }} options
 * `allowTest`: grants purchases for which nobody has paid.
 * @returns {(request: Request) => Promise<Response>}
 */
export function createBackend({ host, applicationId, token, publicKey, folder, allowTest }) {
  const own = { applicationId, service: { host } }
  const application = new ApplicationClient({ ...own, credentials: botToken(token) })
  const verify = createPlayerVerifier({ ...own, accessTokens: true })
  const items = createItems(folder)
  const desk = createPurchaseDesk({
    purchases: application.purchases,
    // A restart empties it. A durable product is then granted again, under the same id, which is one file.
    store: memoryPurchaseStore(),
    grant: items.add,
    revoke: items.remove,
    allowTest,
  })

  /** The service reports a purchase or a refund. */
  const redeem = (/** @type {{ id: string }} */ entitlement) => desk.redeemEvent(entitlement)
  const events = createEventHandler({
    publicKey,
    on: { ENTITLEMENT_CREATE: redeem, ENTITLEMENT_UPDATE: redeem, ENTITLEMENT_DELETE: redeem },
  })

  /** The page asks for the player's items, and with POST for those that the player has just bought. */
  async function answerPage(/** @type {Request} */ request) {
    const player = await verify(request).catch(respondToPlayerError)
    if (player instanceof Response) return player
    if (request.method === 'POST') {
      const redeemed = await desk.redeem(player.id).catch(respondToPlayerError)
      if (redeemed instanceof Response) return redeemed
    }
    return Response.json(await items.of(player.id))
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/events') return events(request)
    if (pathname === '/api/items') return answerPage(request)
    return new Response(null, { status: 404 })
  }
}
