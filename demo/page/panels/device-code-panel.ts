/** Sign-in by a device code: the player enters it on another device, while this page polls. */
import { onChange } from '../on-change'
import type { DemoContext, Mount } from '../panel-context'
import { explain } from '../game/error-advice'
import { failureOf } from '../game/independent-sign-in'
import type { DeviceCode } from '../independent/oauth4webapi-client'
import { type Facts, tokenSetFacts } from '../independent/sign-in-report'
import { busy } from '../ui/busy-line'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { duration, everySecond } from '../ui/format-time'
import { icon } from '../ui/icons'
import { choice } from '../ui/input-field'
import { panel } from '../ui/panel'

type Party = 'foyer' | 'oauth4webapi'

/** Calls of a running sign-in. */
interface Listener {
  signal: AbortSignal
  onCode: (code: DeviceCode) => void
  /** Called after each poll that found the player undecided, with the seconds until the next one. */
  onPoll: (seconds: number) => void
}

export const mountDeviceCode: Mount = (element, context) => {
  const { body } = panel(element, 'Device code', [
    'For devices without a browser: the player enters the code elsewhere, and the page polls until they have decided (RFC 8628).',
  ])
  let party: Party = 'foyer'
  const by = choice<Party>('device-party', {
    legend: 'Run it with',
    value: party,
    choices: [
      { value: 'foyer', label: 'Foyer' },
      { value: 'oauth4webapi', label: 'oauth4webapi' },
    ],
    onChange: (next) => (party = next),
  })
  const code = codeView(() => context.clock.now())
  const status = h('div', { class: 'device-status', role: 'status' }, ['No code was requested yet.'])
  const work = (listener: Listener) => (party === 'foyer' ? withFoyer(context, listener) : withOther(context, listener))
  body.append(by, runButtons(context, { code, status, work }), code.element, status)
}

interface Running {
  code: ReturnType<typeof codeView>
  status: HTMLElement
  work: (listener: Listener) => Promise<HTMLElement[]>
}

function runButtons({ service }: DemoContext, { code, status, work }: Running): HTMLElement {
  let running: AbortController | undefined
  const cancel = h('button', { type: 'button', class: 'secondary', hidden: true, onclick: () => running?.abort() }, ['Cancel'])
  const run = async () => {
    running?.abort()
    const own = (running = new AbortController())
    cancel.hidden = false
    status.replaceChildren(busy('Requesting a code…'))
    const result = await work(showProgress({ code, status }, own.signal))
    if (running !== own) return
    running = undefined
    cancel.hidden = true
    code.show(undefined)
    status.replaceChildren(...result)
  }
  // The code belongs to the service that issued it.
  onChange(service, () => running?.abort())
  return h('div', { class: 'buttons' }, [
    h('button', { type: 'button', class: 'secondary', onclick: () => void run() }, ['Request a code']),
    cancel,
  ])
}

function showProgress({ code, status }: Pick<Running, 'code' | 'status'>, signal: AbortSignal): Listener {
  let polls = 0
  return {
    signal,
    onCode: (shown) => {
      if (signal.aborted) return
      code.show(shown)
      status.replaceChildren(busy('Waiting for the player.'))
    },
    onPoll: (seconds) => {
      if (!signal.aborted) status.replaceChildren(busy(pollWords(++polls, seconds)))
    },
  }
}

function pollWords(polls: number, seconds: number): string {
  return `Waiting for the player: polled ${polls === 1 ? 'once' : `${polls} times`}, next in ${Math.round(seconds)} s.`
}

/** View of the code with its link and the time left. */
function codeView(now: () => number): { element: HTMLElement; show: (code: DeviceCode | undefined) => void } {
  const element = h('div', { class: 'device-code', hidden: true })
  const left = h('p', { class: 'hint' })
  let shown: DeviceCode | undefined
  const tick = () => {
    if (shown) left.textContent = `Expires in ${duration(shown.expiresAt - now())}.`
  }
  everySecond(tick)
  return {
    element,
    show(code) {
      shown = code
      element.hidden = code === undefined
      if (!code) return element.replaceChildren()
      const { userCode, verificationUri, verificationUriComplete } = code
      element.replaceChildren(
        h('p', { class: 'user-code' }, [h('code', {}, [userCode]), copyButton({ what: 'the code', text: () => userCode })]),
        h('p', {}, ['Enter it at ', link(verificationUri, verificationUri), '.']),
        h('p', {}, [link(verificationUriComplete, 'Open the page with the code filled in')]),
        left,
      )
      tick()
    },
  }
}

/** The address comes from the service: only pages of the web are linked. */
function link(address: string, words: string): HTMLElement {
  const isPage = /^https?:\/\//.test(address)
  return isPage ? h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, [words]) : h('code', {}, [address])
}

async function withFoyer({ connection, form, clock }: DemoContext, { signal, onCode, onPoll }: Listener): Promise<HTMLElement[]> {
  const { client, error: missing } = connection.value
  if (!client) return failed(explain(missing).code, explain(missing).advice)
  const stop = client.subscribe('log', ({ step, data }) => {
    if (step === 'device.waiting') onPoll(Number(data['interval']) / 1000)
  })
  try {
    const tokens = await client.getTokenFromDevice({ scopes: form.value.scopes }, { signal, onUserCode: onCode })
    return granted(tokenSetFacts(tokens, clock.now()))
  } catch (error) {
    const { code, detail, advice } = explain(error)
    return failed(code, detail === '' ? advice : `${detail}. ${advice}`)
  } finally {
    stop()
  }
}

async function withOther({ independent }: DemoContext, { signal, onCode, onPoll }: Listener): Promise<HTMLElement[]> {
  try {
    return granted(await independent.device(signal, onCode, onPoll))
  } catch (error) {
    const { code, text } = failureOf(error)
    return failed(code, text)
  }
}

function granted({ player, scopes, lifetime, refreshToken }: Facts): HTMLElement[] {
  const facts = { Player: player, Scopes: scopes, Lifetime: lifetime, 'Refresh token': refreshToken }
  return [
    h('p', { class: 'result-good' }, [icon('check'), 'The player approved, and the tokens came. They are not stored.']),
    h(
      'dl',
      { class: 'facts' },
      Object.entries(facts).flatMap(([name, value]) => [h('dt', {}, [name]), h('dd', {}, [h('code', {}, [value])])]),
    ),
  ]
}

function failed(code: string, text: string): HTMLElement[] {
  return [h('p', { class: 'result-bad' }, [icon('cross'), h('code', {}, [code])]), h('p', {}, [text])]
}
