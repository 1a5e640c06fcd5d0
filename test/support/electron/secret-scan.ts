/** Finds what is left of a secret in a text: all of it or a part, as it is or encoded. */

/** Characters that are looked for at once. A part of twice as many has them whole, wherever it was cut; three bytes are four characters of base64. */
const PIECE = 12

const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  plain: (bytes) => bytes.toString('latin1'),
  reversed: (bytes) => Buffer.from(bytes.toReversed()).toString('latin1'),
  hex: (bytes) => bytes.toString('hex'),
  base64: (bytes) => bytes.toString('base64'),
  base64url: (bytes) => bytes.toString('base64url'),
  bytes: (bytes) => bytes.join(),
}

/** The names of the encodings in which a part of the secret stands in the text. Case is no matter. */
export function findSecrets(text: string, secret: string): string[] {
  const haystack = normalize(text)
  return Object.entries(ENCODINGS)
    .filter(([, encode]) => pieces(secret).some((piece) => haystack.includes(normalize(encode(Buffer.from(piece))))))
    .map(([name]) => name)
}

/** Without what JSON and URLs put around characters. */
function normalize(text: string): string {
  const decoded = text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return decoded.replace(/[\\"\s]/g, '').toLowerCase()
}

/** In each of the three places where base64 may begin. */
function pieces(secret: string): string[] {
  const starts = Array.from({ length: Math.max(0, secret.length - PIECE + 1) }, (_, start) => start)
  return starts.filter((start) => start % PIECE < 3).map((start) => secret.slice(start, start + PIECE))
}
