/** Files of a message: pictures, and downloads with name and size. */
import { Veil } from '../markdown/spoiler.js'
import { servedFile, useChat, webAddress } from '../shared/chat-context.js'
import { listOf, type AttachmentData } from '../shared/wire-parts.js'
import { useState } from 'preact/hooks'

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

export function FileCard({
  file: { filename = 'file', size, url = '', description },
}: {
  file: AttachmentData
}) {
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
          {[
            size === undefined ? undefined : amountOf(size),
            description,
            address === undefined ? 'not loaded' : undefined,
          ]
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

interface Props {
  url: string | undefined
  /** Alternative text. */
  description?: string | null | undefined
  class?: string
}

export function Picture({ url = '', description, class: name = '' }: Props) {
  const [gone, setGone] = useState(false)
  const file = servedFile(url, useChat())
  if (file === undefined || gone)
    return <Placeholder url={url} description={description} name={name} gone={gone} />
  return <img class={`picture ${name}`} src={file} alt={description ?? ''} onError={() => setGone(true)} />
}

function Placeholder({
  url,
  description,
  name,
  gone,
}: {
  url: string
  description: Props['description']
  name: string
  gone: boolean
}) {
  const address = webAddress(url)
  return (
    <span class={`picture elsewhere ${name}`}>
      <b>{gone ? 'Picture not available' : 'Picture not loaded'}</b>
      {description && <span>{description}</span>}
      {address === undefined ? (
        <bdi class="address">{url}</bdi>
      ) : (
        <a class="address" href={address} title={address} target="_blank" rel="noopener noreferrer">
          <bdi>{address.replace(/^https?:\/\//, '')}</bdi>
        </a>
      )}
    </span>
  )
}

/** Small picture beside a name. Nothing is shown in place of one from elsewhere, but its address as a hint. */
export function SmallPicture({ url }: { url: string | undefined }) {
  const chat = useChat()
  if (!url) return null
  const file = servedFile(url, chat)
  if (file === undefined)
    return <span class="embed-icon elsewhere" title={`Not loaded: ${url}`} aria-hidden="true"></span>
  return <img class="embed-icon" src={file} alt="" width="24" height="24" />
}
