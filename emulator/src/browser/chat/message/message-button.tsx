/** Button of a message, in the styles of the service. */
import { useState } from 'preact/hooks'
import { webAddress } from '../shared/chat-context.js'
import type { ComponentData } from '../shared/wire-parts.js'
import { Emoji } from '../shared/emoji.js'
import type { Press } from './message-components.js'

const CLASSES: Record<number, string> = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link', 6: 'premium' }

export function MessageButton({ component, press }: { component: ComponentData; press: Press }) {
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
      <button type="button" class={name} disabled title={`Item ${sku}: the emulator's store does not open from messages`}>
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
    <button type="button" class={name} disabled={disabled === true || id === undefined} aria-busy={busy} onClick={() => void act()}>
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
