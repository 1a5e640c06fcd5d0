/** Doctor screen: what a sign-in needs of page, browser and service, each with its finding or remedy. */
import { useEffect, useState } from 'preact/hooks'
import { testPopup, diagnose } from './diagnose'
import type { Diagnosis } from './diagnose'
import { Busy } from 'kit/busy'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'

/** Check that needs a click of its own: browsers open windows only then. */
const POPUP = 'Test window'
const ICONS = { passed: 'check', warning: 'warning', failed: 'cross' } as const
const WORDS = { passed: 'Passed', warning: 'Warning', failed: 'Failed' }
const INTRO =
  'Checks this page, this browser and the service of the settings. Sends only what the checks need. The button also lets a signed-in player write to a lobby that does not exist.'

type Findings = readonly Diagnosis[]

export function DoctorPanel() {
  const { connection, exchanges, clock, address } = useDemo()
  const [found, setFound] = useState<Findings>()
  const [isChecking, setChecking] = useState(false)
  const run = async (effort: 'ask' | 'look') => {
    setChecking(true)
    setFound(byResult(await diagnose({ connection: connection.value, exchanges, clock, effort })))
    setChecking(false)
  }
  const openWindow = async () => {
    const finding = { check: POPUP, ...(await testPopup()) }
    setFound((before = []) => [finding, ...before.filter(({ check }) => check !== POPUP)])
  }
  const isOpen = address.current.value.screen === 'doctor'
  useEffect(() => {
    if (isOpen && !found) void run('look')
  }, [isOpen])
  const tools = (
    <>
      <CopyButton what="the report" text={() => reportOf(found ?? [])} hidden={!found} />
      <button type="button" class="secondary" onClick={() => void openWindow()}>
        Open a test window
      </button>
      <button type="button" class="secondary" id="run-doctor" onClick={() => void run('ask')}>
        Run the checks
      </button>
    </>
  )
  return (
    <Panel id="doctor" title="Doctor" intro={INTRO} tools={tools}>
      <p role="status" class="hint">
        {isChecking ? <Busy text="Checking…" /> : found && summary(found)}
      </p>
      <ul class="diagnoses">
        {found?.map((diagnosis) => (
          <Finding diagnosis={diagnosis} key={diagnosis.check} />
        ))}
      </ul>
    </Panel>
  )
}

/** Failures first, then warnings. */
function byResult(found: Findings): Findings {
  return (['failed', 'warning', 'passed'] as const).flatMap((result) =>
    found.filter((one) => one.result === result),
  )
}

function reportOf(found: Findings): string {
  return found.map(({ check, result, text }) => `${WORDS[result]}: ${check}. ${text}`).join('\n')
}

function summary(found: Findings): string {
  const count = (result: Diagnosis['result']) => found.filter((one) => one.result === result).length
  return `${count('passed')} passed, ${count('warning')} warnings, ${count('failed')} failed.`
}

function Finding({ diagnosis: { check, result, text } }: { diagnosis: Diagnosis }) {
  return (
    <li class={`diagnosis diagnosis-${result}`}>
      <Icon name={ICONS[result]} />
      <div>
        <strong>{`${WORDS[result]}: ${check}`}</strong>
        <p class="hint">{text}</p>
      </div>
    </li>
  )
}
