/** Allows a browser with a session to sign in as another player, without the library's logout page. */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

const RESUMED = /^\/(?:oauth2\/authorize|activate)\/([\w-]+)$/

/**
 * The library ends the session if the chosen player differs from its account. This changes the session's account first: the tokens of the
 * first player do not depend on the session and stay valid.
 */
export function switchAccount(provider: Provider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const uid = RESUMED.exec(ctx.path)?.[1]
    // The page has the parameters already; the library fails on others if its page is gone.
    if (uid !== undefined) ctx.query = {}
    const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid)
    const chosen = interaction?.result?.login?.accountId
    if (chosen !== undefined) await handOver(await provider.Session.get(ctx), chosen)
    await next()
  }
}

async function handOver(session: InstanceType<Provider['Session']>, player: string): Promise<void> {
  if (session.accountId === undefined || session.accountId === player) return
  session.accountId = player
  session.authorizations = undefined
  await session.persist()
}
