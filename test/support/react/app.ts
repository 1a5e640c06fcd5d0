/** React app of the tests: every hook, with the state as text and every change behind a button. */
import { createElement as h, Fragment, StrictMode, Suspense, useState, type ReactNode } from 'react'
import { FoyerProvider, useClient, useLobby, useRateLimits, useSession } from 'foyer-sdk/react'
import { type ClientOptions, localStorageStore } from 'foyer-sdk'

declare global {
  /** States that the page has shown, in order. */
  var renders: string[] | undefined
  /** Ends the wait of the suspended component. */
  var showSlow: (() => void) | undefined
}

export interface AppConfig {
  applicationId: string
  host: string
  store?: boolean
}

function Player(): ReactNode {
  const { session, status, isResuming, error, signIn, signOut } = useSession()
  const text = isResuming
    ? 'resuming'
    : `${session?.userId ?? 'nobody'} ${status} ${error?.code ?? ''}`.trim()
  globalThis.renders?.push(text)
  return h(
    Fragment,
    null,
    h('output', { id: 'player' }, text),
    h('button', { id: 'sign-in', onClick: () => void signIn() }, 'Sign in'),
    h('button', { id: 'sign-out', onClick: () => void signOut() }, 'Sign out'),
  )
}

function LobbyView({ secret, id }: { secret: string; id: string }): ReactNode {
  const { lobby, status, messages, error, send } = useLobby(secret, { interval: 1000 })
  const text =
    `${status} ${lobby?.members.length ?? 0} ${messages.map(({ content }) => content).join()} ${error?.code ?? ''}`.trim()
  return h(
    Fragment,
    null,
    h('output', { id }, text),
    h('button', { id: `send-${id}`, onClick: () => void send('hello') }, 'Send'),
  )
}

let slow: Promise<void> | undefined
let isShown = false

/** Suspends until \`showSlow\` is called. React renders its siblings, and throws the result away. */
function Slow(): ReactNode {
  slow ??= new Promise((resolve) => {
    globalThis.showSlow = () => {
      isShown = true
      resolve()
    }
  })
  // oxlint-disable-next-line typescript/only-throw-error -- React 18 has no other way to suspend.
  if (!isShown) throw slow
  return h('output', { id: 'slow' }, 'shown')
}

function Limits(): ReactNode {
  return h(
    'output',
    { id: 'limits' },
    useRateLimits(100)
      .map(({ bucket, free }) => `${bucket} ${free}`)
      .join(),
  )
}

function Game(): ReactNode {
  const client = useClient()
  const [shown, setShown] = useState<readonly string[]>([])
  const toggle = (name: string) =>
    setShown(shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name])
  return h(
    Fragment,
    null,
    h('output', { id: 'application' }, client.applicationId),
    h(Player),
    h(Limits),
    ...['first', 'second', 'suspended'].map((name) =>
      h('button', { key: `toggle-${name}`, id: `toggle-${name}`, onClick: () => toggle(name) }, name),
    ),
    ...['first', 'second']
      .filter((name) => shown.includes(name))
      .map((id) => h(LobbyView, { key: id, secret: 'moon', id })),
    shown.includes('suspended') &&
      h(Suspense, { key: 's', fallback: 'waiting' }, h(LobbyView, { secret: 'sun', id: 'third' }), h(Slow)),
  )
}

export function App({ applicationId, host, store }: AppConfig): ReactNode {
  const [isOpen, setOpen] = useState(true)
  const options: ClientOptions = {
    applicationId,
    service: { host },
    ...(store && { tokenStore: localStorageStore() }),
  }
  return h(
    StrictMode,
    null,
    h('button', { id: 'unmount', onClick: () => setOpen(!isOpen) }, 'Unmount'),
    isOpen && h(FoyerProvider, { options }, h(Game)),
  )
}

/** Component that uses a hook outside of a provider. */
export function Lost(): ReactNode {
  useSession()
  return null
}
