/** Creates an emulator's secrets: tokens with a prefix, the RSA key of ID tokens, the Ed25519 key of interactions. */
import {
  generateKeyPair,
  generateKeyPairSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { fieldsOf, isObject } from './values.js'

/** RSA key as a JSON Web Key. A type of our own, since Node's own has another place in each version of its declarations. */
type SigningKey = Record<string, unknown>

/** Secrets of the application; stored with the state, so that they survive a restart. */
export interface Credentials {
  botToken: string
  clientSecret: string
  controlToken: string
  /** Ed25519 public key that verifies interactions, 64 hexadecimal digits. */
  publicKey: string
  /** Private key of interactions, PKCS #8 in base64. */
  interactionKey: string
  /** RSA key that signs ID tokens. */
  signingKey: SigningKey
  cookieKey: string
}

/** The prefix `emu_` marks secrets that only an emulator accepts. */
function secret(kind: string): string {
  return `emu_${kind}_${randomBytes(32).toString('base64url')}`
}

export async function createCredentials(): Promise<Credentials> {
  const signingKey = await createSigningKey()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    botToken: secret('bot'),
    clientSecret: secret('client'),
    controlToken: secret('control'),
    publicKey: rawPublicKey(publicKey),
    interactionKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    signingKey,
    cookieKey: randomBytes(32).toString('base64url'),
  }
}

export function isCredentials(value: unknown): value is Credentials {
  const { signingKey, ...texts } = fieldsOf(value)
  const names = ['botToken', 'clientSecret', 'controlToken', 'publicKey', 'interactionKey', 'cookieKey']
  return isObject(signingKey) && names.every((name) => typeof texts[name] === 'string')
}

export function sameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** RSA key of this process: generating one takes 0.2 s of computing time, and a game's tests start an emulator for each test. */
let rsaKey: Promise<SigningKey> | undefined

/** Each emulator has a key id of its own, so that its keys verify no token of another one. */
async function createSigningKey(): Promise<SigningKey> {
  return { ...(await (rsaKey ??= createRsaKey())), kid: randomBytes(9).toString('base64url') }
}

/** Generated on the thread pool while the main thread loads modules. */
async function createRsaKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
}

/** 64 hexadecimal digits. */
export function rawPublicKey(key: KeyObject): string {
  const { x } = key.export({ format: 'jwk' })
  return Buffer.from(x ?? '', 'base64url').toString('hex')
}
