/** Panel of a check: a button, the state of the check, and its result. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SetupCheck, SetupReports, SetupResult } from '../../setup/contract'
import { type Finding, summary, WORDS } from './finding'
import { runCheck } from './run-check'

/** What the panel shows of a report. */
export interface Shown {
  findings: readonly Finding[]
  facts: readonly (readonly [name: string, value: string])[]
  more?: ComponentChildren
}

interface Props<Name extends SetupCheck> {
  check: Name
  title: string
  /** What the check does. */
  text: string
  /** Text of the button. */
  action: string
  show: (report: SetupReports[Name], platform: string) => Shown
}

/** Remedies, by fault of the page or the main process. */
const REMEDIES: Readonly<Record<string, string>> = {
  no_preload_script: 'This page has no preload script. Open it with "npm run demo:electron".',
  no_main_process: 'The main process did not answer. Restart the demo.',
  untrusted_window:
    'The main process refused this page: its origin is not app://demo, or it is inside a frame.',
}

export function CheckPanel<Name extends SetupCheck>({ check, title, text, action, show }: Props<Name>) {
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<SetupResult<Name>>()
  const run = async () => {
    if (isRunning) return
    setRunning(true)
    setResult(await runCheck(check))
    setRunning(false)
  }
  const fault = result && 'fault' in result && !isRunning ? result.fault : undefined
  const shown = result && 'report' in result && !isRunning ? show(result.report, result.platform) : undefined
  return (
    <section class="panel" id={`check-${check}`} aria-labelledby={`title-${check}`} aria-busy={isRunning}>
      <h2 id={`title-${check}`}>{title}</h2>
      <p>{text}</p>
      {/* Not disabled while it runs: the focus would be lost. */}
      <button type="button" aria-disabled={isRunning} onClick={() => void run()}>
        {action}
      </button>
      <p role="status">
        {isRunning
          ? 'Checking…'
          : shown
            ? summary(shown.findings)
            : fault === undefined && `Not checked yet. Press “${action}”.`}
      </p>
      {fault !== undefined && (
        <p role="alert" class="finding failed">
          <strong>The check did not run.</strong>{' '}
          {REMEDIES[fault] ?? `Restart the demo. If it happens again, report the code ${fault}.`}
        </p>
      )}
      {shown && <Result {...shown} />}
    </section>
  )
}

function Result({ findings, facts, more }: Shown) {
  return (
    <>
      <ul class="findings">
        {findings.map(({ result, what, text }) => (
          <li key={what} class={`finding ${result}`}>
            <strong>
              {WORDS[result]}: {what}.
            </strong>{' '}
            {text}
          </li>
        ))}
      </ul>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {more}
    </>
  )
}
