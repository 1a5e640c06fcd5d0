/** The arguments of a sign-in (S:190-202): what the game asks for, as one structure with setters, copies and a validity test. */
import { ownFields } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'

/** How the application is installed (S:199, supplement A.1). */
export const IntegrationType = Object.freeze({ GuildInstall: 0, UserInstall: 1 })
export type IntegrationType = (typeof IntegrationType)[keyof typeof IntegrationType]

/** The public half of a PKCE pair (RFC 7636 section 4.2): 43 base64url characters, always S256. */
export interface AuthorizationCodeChallenge {
  method: 'S256'
  challenge: string
}

/** What `AuthorizationArgs` holds. Every method that takes the class takes a plain object of these fields too. */
export interface AuthorizationArgsFields {
  /** The application's id, as a decimal string or a bigint. Default: the id set on the client (S:194). */
  clientId?: string | bigint
  /** Space-separated OAuth scopes, for example `Client.getDefaultPresenceScopes()` (S:195). */
  scopes?: string
  /** Best left unset: the client then makes a secure random value (S:196). */
  state?: string
  /** Comes back inside the ID token (S:197). Random unless given. */
  nonce?: string
  /** From `createAuthorizationCodeVerifier()`, when the verifier is to stay with the caller (S:198). Without it the client makes the pair. */
  codeChallenge?: AuthorizationCodeChallenge
  /** How the application is installed (S:199). */
  integrationType?: IntegrationType
  /** `mygame` makes the answer arrive at `mygame:/authorize/callback` (S:200). */
  customSchemeParam?: string
}

const FIELDS = ['clientId', 'scopes', 'state', 'nonce', 'codeChallenge', 'integrationType', 'customSchemeParam'] as const

type Changes = { [Field in keyof AuthorizationArgsFields]: AuthorizationArgsFields[Field] | undefined }

/**
 * The argument structure of `Client.authorize`. A new one is valid, even when it is empty: faults of its content are reported by
 * `authorize`, not by `isValid`. Only `nullobj` and one whose content was moved away are invalid (S:202).
 */
export class AuthorizationArgs implements AuthorizationArgsFields {
  /** The uninitialized instance: not valid, and it cannot be changed. */
  static readonly nullobj: AuthorizationArgs = AuthorizationArgs.#createNull()

  clientId?: string | bigint
  scopes?: string
  state?: string
  nonce?: string
  codeChallenge?: AuthorizationCodeChallenge
  integrationType?: IntegrationType
  customSchemeParam?: string
  #valid = true

  /** A copy of what it is given; the copy of an invalid object is invalid. */
  constructor(given?: AuthorizationArgsFields) {
    const fields = given ?? {}
    this.#valid = !(#valid in fields) || fields.#valid
    copyFields(fields, this)
  }

  static #createNull(): AuthorizationArgs {
    const args = new AuthorizationArgs()
    args.#valid = false
    Object.freeze(args)
    return args
  }

  /** `undefined` leaves the client's own id, as in every setter of an optional field. */
  setClientId(clientId: string | bigint | undefined): this {
    return this.#set({ clientId })
  }

  setScopes(scopes: string): this {
    return this.#set({ scopes })
  }

  setState(state: string | undefined): this {
    return this.#set({ state })
  }

  setNonce(nonce: string | undefined): this {
    return this.#set({ nonce })
  }

  setCodeChallenge(codeChallenge: AuthorizationCodeChallenge | undefined): this {
    return this.#set({ codeChallenge })
  }

  setIntegrationType(integrationType: IntegrationType | undefined): this {
    return this.#set({ integrationType })
  }

  setCustomSchemeParam(customSchemeParam: string | undefined): this {
    return this.#set({ customSchemeParam })
  }

  /** A copy of its own. The copy of an invalid object is invalid. */
  clone(): AuthorizationArgs {
    return new AuthorizationArgs(this)
  }

  /** Hands the content on to a new object and leaves this one empty and invalid. */
  move(): AuthorizationArgs {
    const moved = this.clone()
    if (!Object.isFrozen(this)) {
      for (const field of FIELDS) delete this[field]
      this.#valid = false
    }
    return moved
  }

  /** Whether it holds a valid object. */
  isValid(): boolean {
    return this.#valid
  }

  /** Plain data for `JSON.stringify`: a bigint id as its decimal text, which is as good an id. */
  toJSON(): AuthorizationArgsFields {
    const fields = pickFields(this)
    return typeof fields.clientId === 'bigint' ? { ...fields, clientId: String(fields.clientId) } : fields
  }

  /** Replaces one field; undefined clears it. */
  #set(fields: Changes): this {
    if (!this.#valid) throw new ConfigurationError('invalid_argument', 'args: nullobj, or were moved away')
    for (const field of FIELDS) if (field in fields) delete this[field]
    copyFields(pickFields(fields), this)
    return this
  }
}

function copyFields(from: AuthorizationArgsFields, to: AuthorizationArgsFields): void {
  const { codeChallenge, ...rest } = pickFields(from)
  Object.assign(to, rest, codeChallenge && { codeChallenge: { ...codeChallenge } })
}

/** Only the object's own fields that are there: an absent one must stay absent. */
function pickFields(fields: Changes): AuthorizationArgsFields {
  const own = ownFields(fields)
  return Object.fromEntries(FIELDS.filter((field) => own[field] !== undefined).map((field) => [field, own[field]]))
}
