/** What a game does with players who have no account of their own: gives them one, merges it, takes it apart again. */
import { LobbyService } from '../lobbies/lobby-service.js'
import type { Identity } from '../state/accounts.js'
import { sameSecret } from '../foundation/secrets.js'
import type { EmulatorContext } from '../context/context.js'
import { findUser } from '../context/find-user.js'
import type { Player } from '../seed/seed.js'
import { botIdentityType, botIssuedType, isExternalType, readExternalToken, type ExternalToken } from './external-token.js'
import { locked, AccountError } from './errors.js'

interface AccountRequest {
  globalName: string | undefined
  /** An account that the identity is to belong to, in the place of a new one. */
  accountId?: string | undefined
}

export class AccountService {
  readonly #context: EmulatorContext

  constructor(context: EmulatorContext) {
    this.#context = context
  }

  /** The provisional account of an identity, made now when there is none. @throws PartnerRefusal */
  signIn(identity: Identity, { globalName, accountId }: AccountRequest): Player {
    const { accounts } = this.#context.state
    const owner = accounts.ownerOf(identity)
    if (owner !== undefined && accounts.find(owner) === undefined) throw new AccountError(530_010)
    if (accountId !== undefined && accounts.find(accountId) === undefined)
      throw new AccountError(10_013, { rule: 'provisional_user_id is not the id of a provisional account' })
    const id = accountId ?? owner ?? accounts.create(globalName ?? null).id
    accounts.attach(identity, id)
    if (globalName !== undefined) accounts.rename(id, globalName)
    return this.#person(id)
  }

  /** Gives an identity an account of its own again. @throws PartnerRefusal */
  unmerge(identity: Identity): void {
    const { accounts, records } = this.#context.state
    const owner = accounts.ownerOf(identity)
    if (owner === undefined) throw new AccountError(10_013)
    if (accounts.find(owner) !== undefined) throw new AccountError(50_229)
    accounts.detach(owner)
    records.endPlayer(owner, { why: 'the account was unmerged' })
  }

  /** The identity that an external token proves. @throws PartnerRefusal */
  identify(type: string, token: string): Identity {
    return this.#read(type, token, 'sign-in').identity
  }

  /**
   * Checks that an account may take over what an external token proves, and touches nothing yet.
   * @returns does it. @throws PartnerRefusal
   */
  async prepareMerge(type: string, token: string, destination: string): Promise<() => void> {
    const { accounts, records } = this.#context.state
    const merge = (id: string) => () => {
      accounts.merge(id, destination)
      new LobbyService(this.#context).moveMember(id, destination)
      records.endPlayer(id, { why: 'the provisional account was merged' })
    }
    if (type === botIssuedType) return merge(this.#provisionalOf(token))
    const { identity, locks } = this.#read(type, token, 'merge')
    if (locks && accounts.meetsLock(identity)) throw new AccountError(locked)
    const owner = accounts.ownerOf(identity)
    if (owner === undefined) return () => accounts.attach(identity, destination)
    if (accounts.find(owner) !== undefined) return merge(owner)
    if (owner !== destination) throw new AccountError(530_023)
    return () => undefined
  }

  /** @throws PartnerRefusal when the application may not do this, or gave a wrong secret. */
  checkClient(clientId: string, secret: string | undefined): void {
    const { seed, credentials } = this.#context
    if (seed.application.children.some(({ id }) => id === clientId)) throw new AccountError(20_012)
    if (clientId !== seed.application.id) throw new AccountError(10_002)
    if (secret !== undefined && !sameSecret(secret, credentials.clientSecret)) throw new AccountError(530_007)
  }

  /** The account that a provisional access token stands for. */
  #provisionalOf(token: string): string {
    const { accounts, records } = this.#context.state
    const payload = records.find('AccessToken', token)
    if (payload?.accountId === undefined || (payload.exp ?? 0) <= this.#context.clock.seconds()) throw new AccountError(50_025)
    if (accounts.find(payload.accountId) === undefined) throw new AccountError(530_014)
    return payload.accountId
  }

  #read(type: string, token: string, use: 'sign-in' | 'merge'): ExternalToken {
    if (!isExternalType(type) || type === botIdentityType || type === botIssuedType) {
      const rule = 'external_auth_type is not one that can be used here'
      throw new AccountError({ status: 400, code: 50_035, message: 'Invalid Form Body', rule }, { errors: unknownType })
    }
    const read = readExternalToken(type, token, use)
    if (typeof read === 'number') throw new AccountError(read)
    return read
  }

  #person(id: string): Player {
    const person = findUser(id, this.#context)
    if (person === undefined) throw new AccountError(10_013)
    return person
  }
}

const unknownType = {
  external_auth_type: { _errors: [{ code: 'BASE_TYPE_CHOICES', message: 'Value must be one of the external types.' }] },
}
