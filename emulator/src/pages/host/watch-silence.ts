/** Explains below a frame without handshake why it may be silent, and what to do. */
import { find } from './host-elements.js'

/** Milliseconds. A running game completes the handshake much sooner. */
const PATIENCE = 5000

/** Watches one frame. `ask` requests what the game's server shows. Returns the two callbacks that end or explain the silence. */
interface Watched {
  tile: HTMLElement
  ask: () => Promise<string | undefined>
  gameOrigin: string
  /** Port that other SDKs need, if another program has it. */
  busyPort: number | undefined
}

export interface SilenceWatch {
  /** The frame completed its handshake, or was removed. */
  end(): void
  /** A message was dropped because of its origin. */
  dropped(origin: string): void
}

export function watchSilence({ tile, ask, gameOrigin, busyPort }: Watched): SilenceWatch {
  const foreign = new Set<string>()
  const left = new AbortController()
  let blocked = false
  let state: 'silent' | 'ended' = 'silent'
  const note = find(tile, '.why')
  const show = async () => {
    const words = await explain()
    if (state !== 'silent') return
    note.textContent = words
    note.hidden = false
  }
  const explain = async () => {
    if (foreign.size > 0)
      return `Messages came from ${[...foreign].join(', ')}, which is not the game’s address: this page takes those of ${gameOrigin} only.`
    if (blocked)
      return `The game leads to another address than ${gameOrigin}, and this page frames that one only. Set the address where the game ends up.`
    return (await ask().catch(() => undefined)) ?? unknown(busyPort)
  }
  const onBlocked = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    blocked ||= effectiveDirective === 'frame-src'
  }
  document.addEventListener('securitypolicyviolation', onBlocked, { signal: left.signal })
  const timer = setTimeout(() => void show(), PATIENCE)
  return {
    end() {
      state = 'ended'
      left.abort()
      clearTimeout(timer)
      note.hidden = true
    },
    dropped(origin) {
      foreign.add(origin)
    },
  }
}

function unknown(busyPort: number | undefined): string {
  const usual =
    'The game has not said anything for 5 seconds. It starts the conversation: call client.activity.connect(), or ready() of an embedded SDK, and look into the console of the frame.'
  if (busyPort === undefined) return usual
  return `${usual} Other SDKs than Foyer talk to http://localhost:${busyPort} only, and another program has that port: stop it, then start the emulator again.`
}
