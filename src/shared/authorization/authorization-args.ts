/** Arguments of an authorization (docs/interface/authorization.md#arguments): a structure with setters, copy and validity check. */
import { ownFields } from '../foundation/untrusted-values'
import { ConfigurationError } from '../foundation/errors'

/** Installation type of the application: 0 (guild) or 1 (user) (docs/interface/authorization.md#integration-types). */
export const IntegrationType = Object.freeze({ GuildInstall: 0, UserInstall: 1 })
export type IntegrationType = (typeof IntegrationType)[keyof typeof IntegrationType]

/** Public half of a PKCE pair (RFC 7636 section 4.2). */
export interface AuthorizationCodeChallenge {
  /** Hash method. */
  method: 'S256'
  /** SHA-256 of the verifier: 43 base64url characters. */
  challenge: string
}

/** Fields of `AuthorizationArgs`. Every method that accepts the class also accepts a plain object with these fields. */
export interface AuthorizationArgsFields {
  /** Application id, as a decimal string or a bigint. Default: the id set on the client (docs/interface/authorization.md#arguments). */
  clientId?: string | bigint | undefined
  /** Space-separated OAuth scopes, for example `Client.getDefaultPresenceScopes()` (docs/interface/authorization.md#scopes). */
  scopes?: string | undefined
  /** OAuth `state`. Default, and recommended: a secure random value (docs/interface/authorization.md#arguments). */
  state?: string | undefined
  /** Value that the ID token will contain (docs/interface/authorization.md#arguments). Default: a secure random value. */
  nonce?: string | undefined
  /**
   * Challenge from `createAuthorizationCodeVerifier()` if the caller stores the verifier itself
   * (docs/interface/authorization.md#code-challenge). Default: the client creates the pair.
   */
  codeChallenge?: AuthorizationCodeChallenge | undefined
  /** Installation type (docs/interface/authorization.md#integration-types). Default: none. */
  integrationType?: IntegrationType | undefined
  /**
   * Custom scheme of the redirect URI: `mygame` redirects to `mygame:/authorize/callback` (docs/interface/authorization.md#redirects).
   * Default: the surface's redirect URI.
   */
  customSchemeParam?: string | undefined
}

const FIELDS = [
  'clientId',
  'scopes',
  'state',
  'nonce',
  'codeChallenge',
  'integrationType',
  'customSchemeParam',
] as const

type Changes = { [Field in keyof AuthorizationArgsFields]: AuthorizationArgsFields[Field] | undefined }

/**
 * Arguments of `Client.authorize`, as a class. A new object is valid even if it is empty: `authorize` reports invalid field values,
 * `isValid` does not. Only `nullobj` and moved objects are invalid (docs/interface/authorization.md#arguments).
 *
 * @example
 * ```ts
 * const args = new AuthorizationArgs().setScopes(Client.getDefaultPresenceScopes()).setNonce('n-0S6_WzA2Mj')
 * const result = await client.authorize(args)
 * ```
 */
export class AuthorizationArgs implements AuthorizationArgsFields {
  /** Uninitialized instance: invalid and frozen. */
  static readonly nullobj: AuthorizationArgs = invalidForEver(new AuthorizationArgs())

  clientId?: string | bigint
  scopes?: string
  state?: string
  nonce?: string
  codeChallenge?: AuthorizationCodeChallenge
  integrationType?: IntegrationType
  customSchemeParam?: string
  #valid = true

  /** Copies the given fields. The copy of an invalid object is invalid. */
  constructor(given?: AuthorizationArgsFields) {
    const fields = given ?? {}
    this.#valid = !(#valid in fields) || fields.#valid
    copyFields(fields, this)
  }

  /** Sets the application id; `undefined` restores the default. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setClientId(clientId: string | bigint | undefined): this {
    return this.#set({ clientId })
  }

  /** Sets the scopes. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setScopes(scopes: string): this {
    return this.#set({ scopes })
  }

  /** Sets the state; `undefined` restores the default. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setState(state: string | undefined): this {
    return this.#set({ state })
  }

  /** Sets the nonce; `undefined` restores the default. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setNonce(nonce: string | undefined): this {
    return this.#set({ nonce })
  }

  /** Sets the PKCE challenge; `undefined` restores the default. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setCodeChallenge(codeChallenge: AuthorizationCodeChallenge | undefined): this {
    return this.#set({ codeChallenge })
  }

  /** Sets the installation type; `undefined` removes it. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setIntegrationType(integrationType: IntegrationType | undefined): this {
    return this.#set({ integrationType })
  }

  /** Sets the custom scheme; `undefined` restores the default. @throws ConfigurationError `invalid_argument` if this object is invalid. */
  setCustomSchemeParam(customSchemeParam: string | undefined): this {
    return this.#set({ customSchemeParam })
  }

  /** Returns an independent copy. The copy of an invalid object is invalid. */
  clone(): AuthorizationArgs {
    return new AuthorizationArgs(this)
  }

  /** Moves the content to a new object and leaves this one empty and invalid. */
  move(): AuthorizationArgs {
    const moved = this.clone()
    if (!Object.isFrozen(this)) {
      for (const field of FIELDS) delete this[field]
      this.#valid = false
    }
    return moved
  }

  /** Returns false for `nullobj` and moved objects. */
  isValid(): boolean {
    return this.#valid
  }

  /** Returns plain data for `JSON.stringify`, with a bigint id as a decimal string. */
  toJSON(): AuthorizationArgsFields {
    const fields = pickFields(this)
    return typeof fields.clientId === 'bigint' ? { ...fields, clientId: String(fields.clientId) } : fields
  }

  /** Replaces one field; undefined clears it. */
  #set(fields: Changes): this {
    if (!this.#valid)
      throw new ConfigurationError(
        'invalid_argument',
        'AuthorizationArgs setter: the object is nullobj or was moved',
      )
    for (const field of FIELDS) if (field in fields) delete this[field]
    copyFields(pickFields(fields), this)
    return this
  }
}

function invalidForEver(args: AuthorizationArgs): AuthorizationArgs {
  args.move()
  Object.freeze(args)
  return args
}

function copyFields(from: AuthorizationArgsFields, to: AuthorizationArgsFields): void {
  const { codeChallenge, ...rest } = pickFields(from)
  Object.assign(to, rest, codeChallenge && { codeChallenge: { ...codeChallenge } })
}

/** Copies own, defined fields only: an absent field must stay absent. */
function pickFields(fields: Changes): AuthorizationArgsFields {
  const own = ownFields(fields)
  return Object.fromEntries(
    FIELDS.filter((field) => own[field] !== undefined).map((field) => [field, own[field]]),
  )
}
