/** Registers the page's commands at the emulator, and answers them: this process has the bot token, the page has not. */

const PONG = 1
const MESSAGE = 4
const SUGGESTIONS = 8
const LAUNCH = 12

/** `load` imports `foyer-sdk/server`; `origin` is the address of this server. */
export function createCommandEndpoints(emulator, { load, origin }) {
  let isConnected = false
  const client = async () => {
    const { ApplicationClient, botToken } = await load()
    const { id: applicationId, botToken: token } = emulator.application
    return new ApplicationClient({ applicationId, service: { host: emulator.url }, credentials: botToken(token) })
  }
  const sync = async ({ commands }) => {
    const { plan, requests } = await (await client()).commands.global.sync(commands)
    if (!isConnected) await emulator.interactions.connect(`${origin}/interactions`)
    isConnected = true
    return { plan: String(plan), requests }
  }
  const plan = async ({ commands }) => ({ plan: String(await (await client()).commands.global.plan(commands)) })
  const handle = async (request, response) => {
    if (request.url !== '/interactions') return false
    const { toNodeListener, verifyInteraction } = await load()
    await toNodeListener(async (received) => {
      const verified = await verifyInteraction(received, emulator.application.publicKey)
      return verified.ok ? Response.json(answerTo(verified.interaction)) : new Response(verified.reason, { status: 401 })
    })(request, response)
    return true
  }
  return { acts: { plan, sync }, handle }
}

/** Repeats what was received, so that a person sees it arrive. */
function answerTo({ type, data }) {
  if (type === 1) return { type: PONG }
  if (type === 4) return { type: SUGGESTIONS, data: { choices: [] } }
  if (data?.type === 4) return { type: LAUNCH }
  const options = (data?.options ?? []).map(({ name, value }) => `${name}: ${value ?? '…'}`)
  return { type: MESSAGE, data: { content: [`The demo received ${data?.name ?? 'it'}.`, ...options].join('\n') } }
}
