/** Picture of a message: one that the emulator serves, or a labelled placeholder for an address elsewhere, of which nothing is loaded. */
import { useState } from 'preact/hooks'
import { servedFile, useChat, webAddress } from '../shared/chat-context.js'

interface Props {
  url: string | undefined
  /** Alternative text. */
  description?: string | null | undefined
  class?: string
}

export function Picture({ url = '', description, class: name = '' }: Props) {
  const [gone, setGone] = useState(false)
  const file = servedFile(url, useChat())
  if (file === undefined || gone) return <Placeholder url={url} description={description} name={name} gone={gone} />
  return <img class={`picture ${name}`} src={file} alt={description ?? ''} onError={() => setGone(true)} />
}

function Placeholder({ url, description, name, gone }: { url: string; description: Props['description']; name: string; gone: boolean }) {
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
  if (file === undefined) return <span class="icon elsewhere" title={`Not loaded: ${url}`} aria-hidden="true"></span>
  return <img class="icon" src={file} alt="" width="24" height="24" />
}
