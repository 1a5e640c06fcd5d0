/** A self-signed certificate for a server of a test (RFC 5280), made anew so that no key is stored. */
import { generateKeyPairSync, sign } from 'node:crypto'

/** Key and certificate in PEM, for `createServer` of `node:https`. */
export interface SelfSigned {
  key: string
  cert: string
}

/** Tags of ASN.1. */
const tag = {
  integer: 0x02,
  bits: 0x03,
  oid: 0x06,
  text: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
}
const ecdsaWithSha256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const commonNameId = [0x55, 0x04, 0x03]

function element(type: number, ...parts: (Uint8Array | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.from([type, ...head, ...content])
}

const time = (year: number): Buffer => element(tag.utcTime, Buffer.from(`${year % 100}0101000000Z`))

export function selfSignedCertificate(host: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = element(tag.sequence, element(tag.oid, ecdsaWithSha256))
  const commonName = element(
    tag.sequence,
    element(tag.oid, commonNameId),
    element(tag.text, Buffer.from(host)),
  )
  const name = element(tag.sequence, element(tag.set, commonName))
  const validity = element(tag.sequence, time(2020), time(2049))
  const version = element(tag.version, element(tag.integer, [2]))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = element(
    tag.sequence,
    version,
    element(tag.integer, [1]),
    algorithm,
    name,
    validity,
    name,
    spki,
  )
  const signature = element(tag.bits, [0], sign('sha256', body, privateKey))
  const der = element(tag.sequence, body, algorithm, signature)
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
