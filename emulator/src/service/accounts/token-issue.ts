/** Issues tokens outside the grants of the authorization server: for provisional accounts and child applications. */
import type { Client, Provider } from 'oidc-provider'
import { claimsOf } from '../oauth/claims-of.js'
import { expandScopes } from '../../model/scope.js'
import { childGrant } from '../../state/records.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

export class TokenIssue {
  readonly #context: EmulatorContext
  readonly #provider: Provider

  constructor(context: EmulatorContext, provider: Provider) {
    this.#context = context
    this.#provider = provider
  }

  /** Token response for a provisional account: with an ID token, without a refresh token. */
  async provisional(player: Player): Promise<Record<string, unknown>> {
    const client = await this.#client(this.#context.seed.application.id)
    const scope = expandScopes(['sdk.social_layer']).join(' ')
    const grant = new this.#provider.Grant({ accountId: player.id, clientId: client.clientId })
    grant.addOIDCScope(scope)
    const token = new this.#provider.AccessToken({
      accountId: player.id,
      client,
      grantId: await grant.save(),
      gty: 'provisional',
      scope,
    })
    const idToken = new this.#provider.IdToken({ ...claimsOf(player, this.#context.url) }, { client })
    Object.assign(idToken, { scope: 'openid' })
    return {
      access_token: await token.save(),
      token_type: 'Bearer',
      expires_in: token.expiration,
      scope,
      scopes: scope.split(' '),
      expires_at_s: this.#context.clock.seconds() + token.expiration,
      refresh_token: null,
      id_token: await idToken.issue({ use: 'idtoken' }),
    }
  }

  /** Issues a token that expires with its parent. Revoking the parent's grant revokes it, but not vice versa. */
  async child(
    parent: InstanceType<Provider['AccessToken']>,
    childId: string,
  ): Promise<Record<string, unknown>> {
    const scope = parent.scope ?? ''
    const client = await this.#client(childId)
    const token = new this.#provider.AccessToken({
      accountId: parent.accountId,
      client,
      grantId: childGrant(parent.grantId),
      gty: 'child',
      scope,
    })
    // The library reads the lifetime from this property, and from the configuration if it is absent.
    Object.assign(token, { expiresIn: parent.remainingTTL })
    return { access_token: await token.save(), token_type: 'Bearer', expires_in: token.expiration, scope }
  }

  async #client(id: string): Promise<Client> {
    const client = await this.#provider.Client.find(id)
    if (client === undefined) throw new TypeError(`no client ${id}`)
    return client
  }
}
