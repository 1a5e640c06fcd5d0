/** Component of a message: rows with buttons and selects, and the parts of version 2. */
import { Markdown } from '../markdown/markdown.js'
import { Veil } from '../markdown/spoiler.js'
import { elementId, useChat, webAddress } from '../shared/chat-context.js'
import { boundsOf, choicesOf, chosenAtFirst, isSelect } from '../shared/choice.js'
import { Emoji } from '../shared/emoji.js'
import { SelectMenu } from '../shared/select-menu.js'
import { PART, listOf, type ComponentData } from '../shared/wire-parts.js'
import { FileCard, Picture, fileAt } from './attachments.js'
import { colorOf } from './embed.js'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Presses a button or sends chosen values, by `custom_id`. */
type Press = (component: string, values?: string[]) => Promise<unknown>

interface Props {
  component: ComponentData
  press: Press
}

export function MessageComponents({
  components,
  press,
}: {
  components: ComponentData[] | undefined
  press: Press
}) {
  return (
    <>
      {listOf(components).map((component) => (
        <MessageComponent component={component} press={press} />
      ))}
    </>
  )
}

function MessageComponent({ component, press }: Props): ComponentChildren {
  const { type, components, content = '' } = component
  switch (type) {
    case PART.row:
      return (
        <div class="row">
          <MessageComponents components={components} press={press} />
        </div>
      )
    case PART.button:
      return <MessageButton component={component} press={press} />
    case PART.textDisplay:
      return <Markdown text={content} />
    case PART.section:
      return <Section component={component} press={press} />
    case PART.container:
      return <Container component={component} press={press} />
    case PART.separator:
      return (
        <div
          class={`separator${component.spacing === 2 ? ' large' : ''}${component.divider === false ? '' : ' line'}`}
          role="presentation"
        ></div>
      )
    default:
      return isSelect(component) ? (
        <MessageSelect component={component} press={press} />
      ) : (
        <Media component={component} />
      )
  }
}

/** Pictures and files. */
function Media({
  component: { type, media, file, items, spoiler, description },
}: {
  component: ComponentData
}) {
  const { attachments } = useChat()
  if (type === PART.thumbnail)
    return (
      <Veil active={spoiler} label="picture">
        <Picture url={media?.url} description={description} class="thumbnail" />
      </Veil>
    )
  if (type === PART.file)
    return (
      <Veil active={spoiler} label="file">
        <FileCard file={fileAt(file?.url ?? '', attachments)} />
      </Veil>
    )
  if (type !== PART.mediaGallery) return <p class="quiet">component of type {type}</p>
  return (
    <div class={`gallery of-${Math.min(listOf(items).length, 3)}`}>
      {listOf(items).map((item) => (
        <Veil active={item.spoiler} label="picture">
          <Picture url={item.media?.url} description={item.description} />
        </Veil>
      ))}
    </div>
  )
}

function Section({ component: { components, accessory }, press }: Props) {
  return (
    <div class="section">
      <div>
        <MessageComponents components={components} press={press} />
      </div>
      {accessory && <MessageComponent component={accessory} press={press} />}
    </div>
  )
}

function Container({ component: { components, accent_color: color, spoiler }, press }: Props) {
  return (
    <Veil active={spoiler} label="part">
      <div class={`container${typeof color === 'number' ? ' accent' : ''}`} style={colorOf(color)}>
        <MessageComponents components={components} press={press} />
      </div>
    </Veil>
  )
}

/** One value is sent when it is chosen, several when the list closes. */
function MessageSelect({ component, press }: Props) {
  const chat = useChat()
  const { custom_id: id = '', placeholder, disabled } = component
  const first = chosenAtFirst(component)
  const key = first.join()
  const [chosen, setChosen] = useState(first)
  const [sent, setSent] = useState(key)
  useEffect(() => {
    setChosen(first)
    setSent(key)
  }, [key])
  const { least, most } = boundsOf(component)
  const send = (values: string[]) => {
    if (values.length < least || (most > 1 && values.join() === sent)) return
    setSent(values.join())
    void press(id, values)
  }
  const words = placeholder ?? (most > 1 ? `Choose up to ${most}` : 'Choose')
  return (
    <SelectMenu
      id={elementId(chat, id)}
      label={placeholder ?? id}
      placeholder={words}
      choices={choicesOf(component, chat.view)}
      chosen={chosen}
      most={most}
      disabled={disabled}
      change={setChosen}
      closed={send}
    />
  )
}

const CLASSES: Record<number, string> = {
  1: 'primary',
  2: 'secondary',
  3: 'success',
  4: 'danger',
  5: 'link',
  6: 'premium',
}

function MessageButton({ component, press }: { component: ComponentData; press: Press }) {
  const { style = 2, url, sku_id: sku, custom_id: id, disabled } = component
  const [busy, setBusy] = useState(false)
  const name = `message-button ${CLASSES[style] ?? 'secondary'}`
  const address = webAddress(url)
  if (url !== undefined && address !== undefined && disabled !== true)
    return (
      <a class={`button ${name}`} href={address} title={address} target="_blank" rel="noopener noreferrer">
        <Content component={component} /> <span aria-hidden="true">↗</span>
      </a>
    )
  if (sku !== undefined)
    return (
      <button
        type="button"
        class={name}
        disabled
        title={`Item ${sku}: the emulator's store does not open from messages`}
      >
        <span aria-hidden="true">◆</span> Premium
      </button>
    )
  const act = async () => {
    if (busy || id === undefined) return
    setBusy(true)
    await press(id)
    setBusy(false)
  }
  return (
    <button
      type="button"
      class={name}
      disabled={disabled === true || id === undefined}
      aria-busy={busy}
      onClick={() => void act()}
    >
      <Content component={component} />
    </button>
  )
}

/** An emoji alone is the name of its button. */
function Content({ component: { label, emoji, custom_id: id, url } }: { component: ComponentData }) {
  if (label)
    return (
      <span class="label">
        <Emoji emoji={emoji} /> <bdi>{label}</bdi>
      </span>
    )
  if (emoji?.name) return <span class="label">{emoji.id ? `:${emoji.name}:` : emoji.name}</span>
  return <bdi>{id ?? url}</bdi>
}
