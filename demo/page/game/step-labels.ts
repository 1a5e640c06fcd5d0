/** Labels for the SDK's step and check names. */

interface StepLabels {
  title: string
  detail: string
}

const ANSWER: StepLabels = {
  title: 'Checked the callback',
  detail: 'The SDK compared the callback with this attempt.',
}

const STEPS: Partial<Record<string, StepLabels>> = {
  'authorization.started': {
    title: 'Asked the player',
    detail: 'A fresh state, nonce and PKCE pair were made, and the authorize page was opened.',
  },
  'authorization.answered': ANSWER,
  'authorization.checked': ANSWER,
  'authorization.weak_state': {
    title: 'Weak state',
    detail: 'The given state is shorter than 128 bits: somebody may guess it.',
  },
  'token.requested': {
    title: 'Redeemed the code',
    detail: 'The code went to the token endpoint together with the PKCE verifier.',
  },
  'token.received': {
    title: 'Received the tokens',
    detail: 'The token endpoint accepted the code.',
  },
  'id_token.checked': {
    title: 'Checked the ID token',
    detail: 'The SDK checked the signature, then the claims.',
  },
}

const CHECKS: Partial<Record<string, string>> = {
  redirect_uri: 'it came to the address that was asked for',
  state: 'it belongs to this attempt and to no other',
  iss: 'it comes from the expected service',
  response_type: 'it is a code, and the URL contains no token',
  code: 'there is a code',
  signature: 'a key of the service signed it',
  'header.alg': 'with an algorithm that is allowed',
  aud: 'it was made for this application',
  azp: 'and for nobody on its behalf',
  exp: 'it has not expired',
  iat: 'it was issued recently',
  nonce: 'it belongs to this attempt',
  sub: 'it names a player',
  at_hash: 'it belongs to this access token',
}

export function stepLabels(step: string): StepLabels {
  return own(STEPS, step) ?? { title: step, detail: '' }
}

export function checkLabel(check: string): string {
  return own(CHECKS, check) ?? ''
}

/** Meaning of each claim of an ID token (OpenID Connect Core sections 2 and 5.1), and of an access token (RFC 9068). */
const CLAIMS: Partial<Record<string, string>> = {
  iss: 'the service that made it',
  sub: 'the player',
  aud: 'the application it was made for',
  azp: 'the application that asked for it',
  exp: 'when it expires',
  iat: 'when it was made',
  nbf: 'when it begins to be valid',
  jti: 'the number of this token',
  scope: 'what it allows',
  client_id: 'the application that asked for it',
  auth_time: 'when the player proved who they are',
  nonce: 'the nonce of this sign-in',
  at_hash: 'fingerprint of the access token',
  sid: 'the player’s session at the service',
  preferred_username: 'the player’s user name',
  nickname: 'what the player is called',
  name: 'the player’s name',
  picture: 'the player’s avatar',
  locale: 'the player’s language',
  email: 'the player’s address',
  email_verified: 'whether that address is proved',
  alg: 'the algorithm of its signature',
  kid: 'the key that signed it',
  typ: 'what kind of token it is',
  jku: 'where it says its keys are',
  crit: 'what a reader must understand',
}

export function claimLabel(claim: string): string {
  return own(CLAIMS, claim) ?? ''
}

/** Names come from tokens and files: `constructor` is none of the table. */
function own<Value>(table: Partial<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
