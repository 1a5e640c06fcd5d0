/** Files of a message: pictures, and downloads with name and size. */
import { servedFile, useChat } from '../shared/chat-context.js'
import { Veil } from '../markdown/spoiler.js'
import { listOf, type AttachmentData } from '../shared/wire-parts.js'
import { Picture } from './picture.js'

/** Types that every browser shows. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp)$/

export function Attachments({ files }: { files: AttachmentData[] }) {
  const shown = files.filter(isPicture)
  const others = files.filter((file) => !isPicture(file))
  return (
    <>
      {shown.length > 0 && (
        <div class={`gallery of-${Math.min(shown.length, 3)}`}>
          {shown.map(({ filename = '', url, description }) => (
            <Veil active={isSpoiler(filename)} label="picture">
              <Picture url={url} description={description ?? filename} />
            </Veil>
          ))}
        </div>
      )}
      {others.map((file) => (
        <Veil active={isSpoiler(file.filename ?? '')} label="file">
          <FileCard file={file} />
        </Veil>
      ))}
    </>
  )
}

export function FileCard({ file: { filename = 'file', size, url = '', description } }: { file: AttachmentData }) {
  const address = servedFile(url, useChat())
  const name = <bdi>{filename}</bdi>
  return (
    <div class="file">
      <span class="file-mark" aria-hidden="true">
        {/\.(\w{1,4})$/.exec(filename)?.[1] ?? 'file'}
      </span>
      <span class="file-words">
        {address === undefined ? (
          <span title={url}>{name}</span>
        ) : (
          <a href={address} download={filename}>
            {name}
          </a>
        )}
        <span class="quiet">
          {[size === undefined ? undefined : amountOf(size), description, address === undefined ? 'not loaded' : undefined]
            .filter(Boolean)
            .join(', ')}
        </span>
      </span>
    </div>
  )
}

/** The file behind an address in a component. */
export function fileAt(url: string, attachments: AttachmentData[]): AttachmentData {
  const name = /^attachment:\/\/(.+)$/.exec(url)?.[1]
  const known = listOf(attachments).find((file) => file.filename === name || file.url === url)
  return known ?? { filename: url.split('/').at(-1) || url, url }
}

export function amountOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`
}

function isPicture({ content_type: type }: AttachmentData): boolean {
  return PICTURES.test(type?.split(';')[0] ?? '')
}

function isSpoiler(filename: string): boolean {
  return filename.startsWith('SPOILER_')
}
