/** The window that embeds an Activity, in the test process: answers the handshake and commands as a host does, and sends events. */
import { vi } from 'vitest'

type Message = readonly [opcode: number, payload: Record<string, unknown>]
type Respond = (command: string, args: Record<string, unknown>) => unknown

interface HostOptions {
  /** Origin of the host. */
  origin?: string
  /** Data of READY. */
  ready?: object
  /** Data of the response to a command; an Error: the host refuses it with this code in `message`. */
  respond?: Respond
}

/** Makes the test process a page inside this host until `vi.unstubAllGlobals()`. */
export function scriptedHost({
  origin = 'https://service.test',
  ready = {},
  respond = () => ({}),
}: HostOptions = {}) {
  const listeners = new Set<(event: object) => void>()
  const posted: Message[] = []
  const host = {
    posted,
    respond,
    /** A silent host answers nothing. */
    isSilent: false,
    /** Delivers a message to the page. */
    send(data: unknown, from: { origin?: string; source?: unknown } = {}): void {
      for (const listener of listeners) listener({ origin, source: parent, data, ...from })
    },
    event: (evt: string, data: unknown) => host.send([1, { cmd: 'DISPATCH', evt, data }]),
    close: (code?: number) => host.send([2, { code }]),
    commands: (name: string) => posted.filter(([, { cmd }]) => cmd === name).map(([, payload]) => payload),
    /** Greets the page late, if it was silent. */
    greet: () => host.event('READY', ready),
  }
  const answer = ([opcode, payload]: Message): void => {
    if (opcode === 0) return host.greet()
    const { cmd, nonce } = payload
    const data = host.respond(String(cmd), payload['args'] as Record<string, unknown>)
    if (data instanceof Error)
      host.send([1, { cmd, nonce, evt: 'ERROR', data: { code: Number(data.message) } }])
    else host.send([1, { cmd, nonce, evt: null, data }])
  }
  const parent = {
    opener: null,
    postMessage(message: Message, target: string): void {
      if (target !== origin) return
      posted.push(message)
      if (!host.isSilent) queueMicrotask(() => answer(message))
    },
  }
  vi.stubGlobal('window', {
    parent,
    addEventListener(
      name: string,
      listener: (event: object) => void,
      { signal }: { signal?: AbortSignal } = {},
    ) {
      if (name !== 'message') return
      listeners.add(listener)
      signal?.addEventListener('abort', () => listeners.delete(listener))
    },
  })
  vi.stubGlobal('location', { origin: 'https://1.activities.test', href: 'https://1.activities.test/' })
  vi.stubGlobal('document', { referrer: `${origin}/channels/1` })
  return host
}
