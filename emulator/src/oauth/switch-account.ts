/** Lets a browser that signed one player in sign another one in, without the logout page the library would put between. */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

const resumed = /^\/(?:oauth2\/authorize|activate)\/([\w-]+)$/

/**
 * The library ends the whole session when the chosen player is not the one of the session. Here the session changes
 * hands before the library looks: the first player's tokens do not depend on it and live on.
 */
export function switchAccount(provider: Provider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const uid = resumed.exec(ctx.path)?.[1]
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
