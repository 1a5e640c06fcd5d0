/** Sign-in button, and the status while the player decides. */
import type { Progress } from '../../game/sign-in'
import { startSignIn } from '../../context/demo-context'
import { Busy } from 'kit/busy'
import { duration } from 'kit/format-time'
import { Icon } from 'kit/icon'
import { playerName } from '../../ui/player-face'
import { useEverySecond } from '../../foundation/every-second'
import { useDemo } from '../../context/use-demo'
import { CallbackEntry } from './callback-entry'
import { QuickStart } from './quick-start'

const WAITING: Record<Progress['mode'], string> = {
  popup: 'Waiting for the player in the other window.',
  redirect: 'Redirecting to the service, which returns to this page.',
  loopback: 'Waiting for the player in the other tab: the callback goes to a port of this machine.',
  scheme: 'Waiting for the address that the system would deliver.',
  paste: 'Waiting for the address from the other browser.',
  emulator: 'The emulator approves.',
}

export function SignInPanel() {
  const { signIn } = useDemo()
  const progress = signIn.progress.value
  const { phase, elsewhere } = progress
  return (
    <div id="sign-in" class="sign-in">
      <SignInButtons phase={phase} />
      <p class="keys">
        <kbd>Ctrl</kbd> or <kbd>⌘</kbd> + <kbd>Enter</kbd> signs in, <kbd>Esc</kbd> cancels
      </p>
      <div class="status-place">
        <div class="status" role="status">
          <Status progress={progress} />
        </div>
        <TimeLeft progress={progress} />
      </div>
      {phase === 'waiting' && elsewhere === true && <CallbackEntry />}
      <QuickStart />
    </div>
  )
}

function SignInButtons({ phase }: Pick<Progress, 'phase'>) {
  const context = useDemo()
  const isRunning = phase === 'waiting' || phase === 'redeeming'
  return (
    <div class="actions">
      {/* Not `disabled`: that would lose the keyboard focus. */}
      <button
        type="button"
        class="primary"
        id="sign-in-button"
        aria-disabled={isRunning}
        onClick={() => startSignIn(context)}
      >
        {buttonWords(phase)}
        <Icon name="arrow" />
      </button>
      <button type="button" class="secondary" hidden={!isRunning} onClick={() => context.signIn.cancel()}>
        <Icon name="cross" />
        Cancel
      </button>
    </div>
  )
}

function buttonWords(phase: Progress['phase']): string {
  if (phase === 'waiting') return 'Waiting for the player'
  if (phase === 'redeeming') return 'Signing in'
  if (phase === 'signed-in') return 'Sign in again'
  return phase === 'failed' ? 'Try again' : 'Sign in'
}

function Status({ progress: { phase, mode, maybeClosed } }: { progress: Progress }) {
  const { signIn, connection } = useDemo()
  const { error } = connection.value
  const player = signIn.player.value
  if (error)
    return <State icon="warning" text={`There is no client yet: ${error.code}. See the service settings.`} />
  if (phase === 'waiting' && maybeClosed)
    return (
      <State
        icon="warning"
        text="The window seems to be closed. Still waiting, since some pages only look closed. Cancel?"
      />
    )
  if (phase === 'waiting') return <Busy text={WAITING[mode]} />
  if (phase === 'redeeming')
    return (
      <p class="state">
        <Busy text="Redeeming the code and verifying the ID token." />
      </p>
    )
  if (phase === 'signed-in' && player)
    return <State icon="check" text={`Signed in as ${playerName(player)}.`} />
  if (phase === 'failed') return <State icon="cross" text="The sign-in failed. The run says why." />
  return <State icon="entrance" text="Nobody is signed in." />
}

function State({ icon, text }: { icon: 'check' | 'warning' | 'cross' | 'entrance'; text: string }) {
  return (
    <p class={`state state-${icon}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  )
}

/** Shows the time left, outside the live region: a screen reader must not read every second. */
function TimeLeft({ progress: { phase, endsAt } }: { progress: Progress }) {
  useEverySecond()
  return (
    <p class="countdown" hidden={phase !== 'waiting' || endsAt === undefined}>
      {endsAt !== undefined && `Times out in ${duration(endsAt - Date.now())}`}
    </p>
  )
}
