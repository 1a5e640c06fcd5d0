/** Plan and sync at the emulator; nothing is sent before a button is pressed. */
import { useState } from 'preact/hooks'
import { useStatus } from 'kit/use-status'
import { useDemo } from '../../context/use-demo'
import { askPageServer } from '../../game/ask-page-server'
import { isDeployable, type CheckedCommands } from './check-commands'
import { PermissionMatrix } from './permission-matrix'

type Action = 'plan' | 'sync'

/** The last action that succeeded. */
interface Done {
  action: Action
  plan: string
  /** Number of syncs so far. */
  syncs: number
}

export function CommandDeployment({ checked }: { checked: CheckedCommands }) {
  const { faultControls } = useDemo()
  const { run, shown } = useStatus()
  const [done, setDone] = useState<Done>({ action: 'plan', plan: '', syncs: 0 })
  const isPossible = faultControls() !== undefined
  const start = (action: Action) =>
    void run(action === 'plan' ? 'Comparing…' : 'Registering…', async () => {
      const { plan, requests } = await deploy(action, checked.commands ?? [])
      setDone(({ syncs }) => ({ action, plan, syncs: action === 'sync' ? syncs + 1 : syncs }))
      return action === 'plan' ? 'Nothing was changed.' : `Registered, with ${requests} requests.`
    })
  return (
    <section aria-label="Register">
      <DeployButtons hidden={!isPossible} disabled={!isDeployable(checked)} onStart={start} />
      <p class="hint" hidden={isPossible}>
        Select the emulator in the service settings to compare and register commands.
      </p>
      <p class="hint" role="status">
        {shown}
      </p>
      <Outcome done={done} />
      <PermissionMatrix syncs={done.syncs} hidden={!isPossible} />
    </section>
  )
}

interface ButtonsProps {
  hidden: boolean
  disabled: boolean
  onStart: (action: Action) => void
}

function DeployButtons({ hidden, disabled, onStart }: ButtonsProps) {
  return (
    <div class="buttons" hidden={hidden}>
      <button type="button" class="secondary" disabled={disabled} onClick={() => onStart('plan')}>
        Compare with the emulator
      </button>
      <button type="button" class="secondary" disabled={disabled} onClick={() => onStart('sync')}>
        Register
      </button>
    </div>
  )
}

function Outcome({ done: { action, plan } }: { done: Done }) {
  const { preset } = useDemo()
  return (
    <>
      <pre class="studio-plan" tabIndex={0} aria-label="Plan" hidden={plan === ''}>
        {plan}
      </pre>
      <a href={`${preset?.host ?? ''}/chat`} target="_blank" rel="noopener" hidden={action === 'plan'}>
        Use them in the emulator’s chat
      </a>
    </>
  )
}

/** Answer of the page's own server, which has the bot token. */
interface DeployResult {
  /** The plan in words, one line for each step. */
  readonly plan: string
  /** Requests that were sent; absent for a plan alone. */
  readonly requests?: number
}

/** @throws Error with the reason of the service or the server. */
function deploy(action: 'plan' | 'sync', commands: readonly unknown[]): Promise<DeployResult> {
  return askPageServer(action, { commands })
}
