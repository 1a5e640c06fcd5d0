/** Reads a body that may be multipart: the JSON, and the files with their names (RFC 7578, parsed by the platform). */

/** A file of a request. */
export interface UploadedPart {
  filename: string
  contentType: string
  bytes: Buffer
}

export interface Upload {
  /** The JSON as text. */
  text: string
  /** Files by the `n` of `files[n]`. */
  files: Map<number, UploadedPart>
}

/** Largest body with files, in bytes. */
export const LARGEST_UPLOAD = 110 * 1024 * 1024

export function isMultipart(contentType: string | null | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '')
}

/** Returns undefined for a body that is no valid multipart. */
export async function readUpload(body: Request | Response): Promise<Upload | undefined> {
  try {
    const form = await body.formData()
    const files = new Map<number, UploadedPart>()
    for (const [name, value] of form) {
      const index = /^files\[(\d{1,10})\]$/.exec(name)?.[1]
      if (index === undefined || typeof value === 'string') continue
      const contentType = value.type === '' ? 'application/octet-stream' : value.type
      files.set(Number(index), {
        filename: value.name,
        contentType,
        bytes: Buffer.from(await value.arrayBuffer()),
      })
    }
    const json = form.get('payload_json')
    if (json !== null) return { text: typeof json === 'string' ? json : await json.text(), files }
    // Without `payload_json` the fields are parts themselves.
    const fields = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return { text: JSON.stringify(Object.fromEntries(fields)), files }
  } catch {
    return undefined
  }
}
