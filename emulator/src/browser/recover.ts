/** Launches the Activity again after the emulator was started again: the instance ended with it. */
import { element, find, say } from './host-elements.js'

/** Settings of the page, which the emulator writes into the document. */
export interface PageSettings {
  /** Id of the instance. */
  instance: string
  /** Ids of the players, separated by commas. */
  as: string
  channel: string
  /** Configured port of the page, if another program has it. */
  busyPort?: number
}

const PATH = '/_activity/'

/** Launches again for the same players, unless that would discard what is typed: then the player decides. */
export async function recover(settings: PageSettings): Promise<void> {
  const ready = await fetch(`${PATH}ready`).catch(() => undefined)
  const instance = ready?.ok === true ? await fetch(location.href).catch(() => undefined) : undefined
  if (instance === undefined) return void setTimeout(() => void recover(settings), 1000)
  if (instance.ok) return location.reload()
  const isTyped = [...document.querySelectorAll<HTMLInputElement>('.join input')].some(({ value }) => value !== '')
  if (!isTyped) return launchAgain(settings)
  say('The emulator was started again, and the instance ended with it. ')
  const button = element('button', { type: 'button', textContent: 'Launch again' })
  button.addEventListener('click', () => launchAgain(settings))
  find(document, '#status').append(button)
}

function launchAgain({ as, channel }: PageSettings): void {
  const form = element('form', { method: 'post', action: PATH, hidden: true })
  for (const player of as.split(',')) form.append(element('input', { name: 'as', value: player }))
  form.append(element('input', { name: 'channel', value: channel }))
  document.body.append(form)
  form.submit()
}
