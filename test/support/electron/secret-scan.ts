/** Finds traces of a secret in a string: all of it or a part, plain or encoded. */

/** Length of the pieces that are searched, in characters. A part of twice this length contains a whole piece, wherever it was cut; three bytes are four characters of base64. */
const PIECE = 12

const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  plain: (bytes) => bytes.toString('latin1'),
  reversed: (bytes) => Buffer.from(bytes.toReversed()).toString('latin1'),
  hex: (bytes) => bytes.toString('hex'),
  base64: (bytes) => bytes.toString('base64'),
  base64url: (bytes) => bytes.toString('base64url'),
  bytes: (bytes) => bytes.join(),
}

/** Returns the names of the encodings in which the string contains a part of the secret, ignoring case. */
export function findSecrets(text: string, secret: string): string[] {
  const haystack = normalize(text)
  return Object.entries(ENCODINGS)
    .filter(([, encode]) =>
      pieces(secret).some((piece) => haystack.includes(normalize(encode(Buffer.from(piece))))),
    )
    .map(([name]) => name)
}

/** Removes the escapes that JSON and URLs add. */
function normalize(text: string): string {
  const decoded = text.replace(/%([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  )
  return decoded.replace(/[\\"\s]/g, '').toLowerCase()
}

/** Encodes at each of the three alignments of base64. */
function pieces(secret: string): string[] {
  const starts = Array.from({ length: Math.max(0, secret.length - PIECE + 1) }, (_, start) => start)
  return starts.filter((start) => start % PIECE < 3).map((start) => secret.slice(start, start + PIECE))
}
