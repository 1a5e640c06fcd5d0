/** Reads a file that the player chose. */
import type { UploadedFile } from './chat-data.js'

export function readFile(file: File): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')))
    reader.addEventListener('load', () => {
      const [, data = ''] = (typeof reader.result === 'string' ? reader.result : '').split(',')
      const [type = ''] = file.type.split(';')
      resolve({ filename: file.name, data, ...(type !== '' && { content_type: type }) })
    })
    reader.readAsDataURL(file)
  })
}

/** Value of the attribute `accept` for types of files: media types, and extensions with their dot. */
export function acceptedTypes(types: string[] | undefined): string | undefined {
  return types?.map((type) => (type.startsWith('.') ? type : `${type}/*`)).join()
}
