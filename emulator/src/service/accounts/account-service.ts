/** Provisional accounts: creates, merges and unmerges accounts of external identities. */
import { accountError, invalidForm, lockedError } from '../../check/account-error.js'
import { printedSecret } from '../../foundation/printed-secret.js'
import { sameSecret } from '../../foundation/credentials.js'
import type { Identity } from '../../state/accounts.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findUser } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import { LobbyService } from '../lobbies/lobby-service.js'
import {
  BOT_IDENTITY_TYPE,
  BOT_ISSUED_TYPE,
  isExternalType,
  readExternalToken,
  type ExternalToken,
} from './external-token.js'

interface AccountRequest {
  globalName: string | undefined
  /** Existing provisional account to attach the identity to, instead of a new one. */
  accountId?: string | undefined
}

export class AccountService {
  readonly #context: EmulatorContext

  constructor(context: EmulatorContext) {
    this.#context = context
  }

  /** Returns the provisional account of an identity, created if there is none. @throws ApiError */
  signIn(identity: Identity, { globalName, accountId }: AccountRequest): Player {
    const { accounts } = this.#context.state
    const owner = accounts.ownerOf(identity)
    if (owner !== undefined && accounts.find(owner) === undefined) throw accountError(530_010)
    if (accountId !== undefined && accounts.find(accountId) === undefined)
      throw accountError(10_013, 'provisional_user_id is not the id of a provisional account')
    const id = accountId ?? owner ?? accounts.create(globalName ?? null).id
    accounts.attach(identity, id)
    if (globalName !== undefined) accounts.rename(id, globalName)
    return this.#getUser(id)
  }

  /** Detaches an identity from its merged account. @throws ApiError */
  unmerge(identity: Identity): void {
    const { accounts, records } = this.#context.state
    const owner = accounts.ownerOf(identity)
    if (owner === undefined) throw accountError(10_013)
    if (accounts.find(owner) !== undefined) throw accountError(50_229)
    accounts.detach(owner)
    records.endPlayer(owner, { why: 'the account was unmerged' })
  }

  /** Returns the identity that an external token proves. @throws ApiError */
  identify(type: string, token: string): Identity {
    return this.#read(type, token, 'sign-in').identity
  }

  /**
   * Checks a merge of the account behind an external token into `destination`, without changing anything.
   * @returns a function that performs the merge.
   * @throws ApiError
   */
  async prepareMerge(type: string, token: string, destination: string): Promise<() => void> {
    const { accounts, records } = this.#context.state
    const merge = (id: string) => () => {
      accounts.merge(id, destination)
      new LobbyService(this.#context).moveMember(id, destination)
      records.endPlayer(id, { why: 'the provisional account was merged' })
    }
    if (type === BOT_ISSUED_TYPE) return merge(this.#provisionalOf(token))
    const { identity, locks } = this.#read(type, token, 'merge')
    if (locks && accounts.meetsLock(identity)) throw lockedError()
    const owner = accounts.ownerOf(identity)
    if (owner === undefined) return () => accounts.attach(identity, destination)
    if (accounts.find(owner) !== undefined) return merge(owner)
    if (owner !== destination) throw accountError(530_023)
    return () => undefined
  }

  /** @throws ApiError for a child application, an unknown one, a wrong secret, or none from a confidential application. */
  checkClient(clientId: string, secret: string | undefined): void {
    const { seed } = this.#context
    if (seed.application.children.some(({ id }) => id === clientId)) throw accountError(20_012)
    if (clientId !== seed.application.id) throw accountError(10_002)
    checkSecret(this.#context, secret)
  }

  /** The provisional account of an access token. @throws ApiError */
  #provisionalOf(token: string): string {
    const { accounts, records } = this.#context.state
    const payload = records.find('AccessToken', token)
    if (payload?.accountId === undefined || (payload.exp ?? 0) <= this.#context.clock.seconds())
      throw accountError(50_025)
    if (accounts.find(payload.accountId) === undefined) throw accountError(530_014)
    return payload.accountId
  }

  #read(type: string, token: string, use: 'sign-in' | 'merge'): ExternalToken {
    if (!isExternalType(type) || type === BOT_IDENTITY_TYPE || type === BOT_ISSUED_TYPE) {
      const rule = 'external_auth_type is not one that can be used here'
      throw invalidForm(rule, UNKNOWN_TYPE)
    }
    const read = readExternalToken(type, token, use)
    if (typeof read === 'number') throw accountError(read, printedSecret(token, 'external_auth_token'))
    return read
  }

  #getUser(id: string): Player {
    const user = findUser(id, this.#context)
    if (user === undefined) throw accountError(10_013)
    return user
  }
}

const UNKNOWN_TYPE = {
  external_auth_type: {
    _errors: [{ code: 'BASE_TYPE_CHOICES', message: 'Value must be one of the external types.' }],
  },
}

const MISSING =
  'the switch "Public Client" of the application is off (seed: application.publicClient): send its secret from a backend'

/** @throws ApiError 530007. */
export function checkSecret({ seed, credentials }: EmulatorContext, secret: string | undefined): void {
  if (secret === undefined && !seed.application.publicClient) throw accountError(530_007, MISSING)
  if (secret !== undefined && !sameSecret(secret, credentials.clientSecret))
    throw accountError(530_007, printedSecret(secret, 'client_secret'))
}
