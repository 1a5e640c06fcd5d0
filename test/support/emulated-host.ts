/** The emulator's host window for a page in the test process: what the host page does with messages and dialogs, without a browser. */
import type { Emulator } from 'foyer-emulator'
import { onTestFinished, vi } from 'vitest'

interface HostEvent {
  frame?: string
  message?: unknown
  consent?: { id: string }
  dialog?: { id: string; actions: { value: string }[]; choices?: { value: string }[]; file?: string }
}

export interface EmulatedHost {
  /** Query of the frame's address. */
  query: string
  /** Makes the process the page in this frame anew. */
  reload: () => void
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Launches the Activity as a player, who presses the usual button of each dialog. */
export async function emulatedHost(
  emulator: Emulator,
  { as, platform = 'desktop' }: { as: string; platform?: 'desktop' | 'mobile' },
): Promise<EmulatedHost> {
  const origin = new URL(emulator.activity.url ?? '').origin
  const post = (path: string, body: unknown) =>
    fetch(`${emulator.activity.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    })
  /** The emulator may end once the game has its reply. */
  const send = (path: string, body: unknown) => void post(path, body).catch(() => undefined)
  const { instanceId } = emulator.activity.launch({ as, platform })
  const opened: { window: string; frames: { id: string; src: string }[] } = JSON.parse(
    await (await post('windows', { instance_id: instanceId, as })).text(),
  )
  const [frame = { id: '', src: '' }] = opened.frames
  const ended = new AbortController()
  const listeners = new Set<(event: object) => void>()
  const parent = {
    opener: null,
    postMessage: (message: unknown) => send(`windows/${opened.window}/frames/${frame.id}`, { message }),
  }
  const take = ({ message, consent, dialog }: HostEvent) => {
    if (message !== undefined)
      for (const listener of listeners) listener({ origin, source: parent, data: message })
    if (consent) send(`consents/${consent.id}`, { approve: true })
    if (dialog)
      send(`dialogs/${dialog.id}`, {
        action: dialog.actions[0]?.value,
        choices: dialog.choices?.slice(0, 1).map(({ value }) => value),
        ...(dialog.file !== undefined && { file: { name: 'a.png', type: 'image/png', data: PIXEL } }),
      })
  }
  const stream = await fetch(`${emulator.activity.url}windows/${opened.window}/events`, {
    signal: ended.signal,
  })
  void readEvents(stream, take).catch(() => undefined)
  onTestFinished(() => {
    ended.abort()
    vi.unstubAllGlobals()
  })
  const query = new URL(frame.src).search
  return {
    query,
    reload() {
      listeners.clear()
      // The game is served through the proxy, under the origin of the host page.
      const location = { origin, href: `${origin}/${query}`, search: query }
      vi.stubGlobal('location', location)
      vi.stubGlobal('document', { referrer: `${origin}/` })
      vi.stubGlobal('window', {
        parent,
        location,
        addEventListener: (name: string, listener: (event: object) => void) =>
          name === 'message' && listeners.add(listener),
        removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
      })
    },
  }
}

async function readEvents({ body }: Response, take: (event: HostEvent) => void): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1]
      if (data !== undefined) take(JSON.parse(data))
    }
  }
}
