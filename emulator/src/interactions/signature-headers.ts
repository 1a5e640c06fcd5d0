/** Signs interactions: Ed25519 over the timestamp and the body, byte by byte as sent. */
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

export function readKey(pkcs8: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })
}

/** Random key: its signatures are well-formed forgeries. */
export function forgersKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

export function signatureHeaders(body: string, timestamp: string, key: KeyObject): Record<string, string> {
  const signature = sign(null, Buffer.from(timestamp + body), key)
  return { 'X-Signature-Ed25519': signature.toString('hex'), 'X-Signature-Timestamp': timestamp }
}
