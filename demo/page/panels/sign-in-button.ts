/** Sign-in button, and the status while the player decides. */
import { type DemoContext, type Mount, startSignIn } from '../panel-context'
import type { Progress } from '../game/run-sign-in'
import { type Child, h } from '../ui/create-element'
import { failureCard } from '../ui/error-card'
import { busy } from '../ui/busy-line'
import { callbackEntryForm } from './callback-entry-form'
import { quickStart } from './quick-start'
import { modeChoice } from './sign-in-mode-choice'
import { icon } from '../ui/icons'
import { duration, everySecond } from '../ui/format-time'
import { playerName } from '../ui/player-name-and-avatar'

const WAITING: Record<Progress['mode'], string> = {
  popup: 'Waiting for the player in the other window.',
  redirect: 'Redirecting to the service, which returns to this page.',
  loopback: 'Waiting for the player in the other tab: the callback goes to a port of this machine.',
  scheme: 'Waiting for the address that the system would deliver.',
  paste: 'Waiting for the address from the other browser.',
  emulator: 'The emulator approves.',
}

export const mountSignIn: Mount = (element, context) => {
  const { signIn } = context
  const button = h('button', { type: 'button', class: 'primary', id: 'sign-in-button', onclick: () => startSignIn(context) })
  const cancel = h('button', { type: 'button', class: 'secondary', onclick: () => signIn.cancel() }, [icon('cross'), 'Cancel'])
  const status = h('div', { class: 'status', role: 'status' })
  const failure = h('div', { class: 'failure-slot', role: 'alert' })
  const left = h('p', { class: 'countdown' })
  const handOver = callbackEntryForm(context)
  element.append(
    h('div', { class: 'actions' }, [button, cancel]),
    h('p', { class: 'keys' }, [
      h('kbd', {}, ['Ctrl']),
      ' or ',
      h('kbd', {}, ['⌘']),
      ' + ',
      h('kbd', {}, ['Enter']),
      ' signs in, ',
      h('kbd', {}, ['Esc']),
      ' cancels',
    ]),
    status,
    left,
    handOver,
    failure,
    quickStart(context),
    // An Activity has one mode: the host window.
    context.connection.value.client?.getActivityLaunch() ? '' : modeChoice(context),
  )
  signIn.progress.subscribe((progress) => {
    element.closest('.screen')?.classList.toggle('compact', progress.phase !== 'idle')
    const waiting = progress.phase === 'waiting' || progress.phase === 'redeeming'
    // Not `disabled`: that would lose the keyboard focus.
    button.setAttribute('aria-disabled', String(waiting))
    button.replaceChildren(...buttonWords(progress), icon('arrow'))
    cancel.hidden = !waiting
    handOver.hidden = !(progress.phase === 'waiting' && progress.elsewhere)
    status.replaceChildren(...statusWords(progress, context))
    failure.replaceChildren(...(progress.phase === 'failed' ? [failureCard(progress.error)] : []))
    showTimeLeft(left, progress)
  })
  everySecond(() => showTimeLeft(left, signIn.progress.value))
}

function buttonWords({ phase }: Progress): Child[] & string[] {
  if (phase === 'waiting') return ['Waiting for the player']
  if (phase === 'redeeming') return ['Signing in']
  if (phase === 'signed-in') return ['Sign in again']
  return [phase === 'failed' ? 'Try again' : 'Sign in']
}

function statusWords({ phase, mode, maybeClosed }: Progress, { signIn, connection }: DemoContext): Node[] {
  if (connection.value.error) return [words('warning', `There is no client yet: ${connection.value.error.code}. See the service settings.`)]
  if (phase === 'waiting' && maybeClosed)
    return [words('warning', 'The window seems to be closed. Still waiting, since some pages only look closed. Cancel?')]
  if (phase === 'waiting') return [busy(WAITING[mode])]
  if (phase === 'redeeming') return [busyState('Redeeming the code and verifying the ID token.')]
  if (phase === 'signed-in' && signIn.player.value) return [words('check', `Signed in as ${playerName(signIn.player.value)}.`)]
  if (phase === 'failed') return []
  return [words('entrance', 'Nobody is signed in.')]
}

function busyState(text: string): HTMLElement {
  return h('p', { class: 'state' }, [busy(text)])
}

function words(name: 'check' | 'warning' | 'entrance', text: string): HTMLElement {
  return h('p', { class: `state state-${name}` }, [icon(name), h('span', {}, [text])])
}

/** Shows the time left, outside the live region: a screen reader must not read every second. */
function showTimeLeft(element: HTMLElement, { phase, endsAt }: Progress): void {
  element.hidden = phase !== 'waiting' || endsAt === undefined
  if (endsAt !== undefined) element.textContent = `Times out in ${duration(endsAt - Date.now())}`
}
