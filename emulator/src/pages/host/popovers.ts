/** Forms that open over a frame, which keeps its size: one at a time, closed by Escape or a click elsewhere. Presets fill in a device. */
import { find } from './host-elements.js'

/** @param tile player whose forms these are. */
export function watchPopovers(tile: HTMLElement): void {
  tile.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    const open = tile.querySelector<HTMLDetailsElement>('.more[open]')
    if (open === null) return
    open.open = false
    find(open, 'summary').focus()
  })
  document.addEventListener('click', ({ target }) => {
    for (const open of tile.querySelectorAll<HTMLDetailsElement>('.more[open]'))
      if (target instanceof Node && !open.contains(target)) open.open = false
  })
  // A click into the game leaves this document.
  addEventListener('blur', () => {
    if (document.activeElement instanceof HTMLIFrameElement)
      for (const open of tile.querySelectorAll<HTMLDetailsElement>('.more[open]')) open.open = false
  })
  for (const button of tile.querySelectorAll<HTMLButtonElement>('.presets button'))
    button.addEventListener('click', () => usePreset(tile, button))
}

/** Sets the fields that the preset names, as if a person had. */
function usePreset(tile: HTMLElement, { dataset }: HTMLButtonElement): void {
  const values: Record<string, string> = JSON.parse(dataset['preset'] ?? '{}')
  for (const field of tile.querySelectorAll<HTMLSelectElement>('.device select')) {
    const value = values[field.name]
    if (value === undefined || value === field.value) continue
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
