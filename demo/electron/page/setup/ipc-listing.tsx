/** Shows what the main process offers to the page. */
import type { CallOutcome, Caller, SetupReports } from '../../setup/contract'
import type { Finding } from './finding'

type Report = SetupReports['ipc']

const CALLERS: Readonly<Record<Caller, string>> = {
  stranger: 'Page of another origin',
  frame: 'Frame inside a page of this origin',
  page: 'Page of this origin',
}

/** The demo's own channel answers an unknown check with this code, after it has accepted the page. */
const ACCEPTED = new Set(['answered', 'unknown_check'])

export function ipcFindings({ calls }: Report): Finding[] {
  return calls.map(({ caller, channel, outcome }) => ({
    what: `${CALLERS[caller]}, ${channel}`,
    ...judge(caller, outcome),
  }))
}

function judge(caller: Caller, outcome: CallOutcome['outcome']): Omit<Finding, 'what'> {
  const isAccepted = ACCEPTED.has(outcome)
  if (caller === 'page')
    return isAccepted
      ? { result: 'passed', text: 'The call was answered.' }
      : { result: 'failed', text: `The call was refused (${outcome}).` }
  return isAccepted
    ? { result: 'failed', text: 'The call was answered: check the sender of every message.' }
    : { result: 'passed', text: `The call was refused (${outcome}).` }
}

export function ipcFacts({ origins }: Report): [string, string][] {
  const words = origins.map(
    ({ origin, tokens }) => `${origin}, ${tokens ? 'some windows with tokens' : 'without tokens'}`,
  )
  return [
    ['Who may call', words.length > 0 ? `The top frame of a window with ${words.join('; ')}` : 'nobody'],
  ]
}

export function IpcListing({ report }: { report: Report }) {
  const { channels, internal, methods, unsupported, events } = report
  return (
    <>
      <h3>Channels</h3>
      <dl class="facts">
        {channels.map(({ name, from, takes }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>{' '}
              <span class="quiet">{from === 'page' ? 'from the page' : 'to the page'}</span>
            </dt>
            <dd>{takes}</dd>
          </div>
        ))}
      </dl>
      <Names
        title="Methods"
        text="foyer:call calls these, with the arguments of the method of Client with that name."
        names={methods}
      />
      <h3>Further calls</h3>
      <dl class="facts">
        {Object.entries(internal).map(([name, takes]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{takes}</dd>
          </div>
        ))}
      </dl>
      <Names title="Events" text="foyer:notify sends these." names={events} />
      <Names title="Refused methods" text="These reject with unsupported in a window." names={unsupported} />
    </>
  )
}

function Names({ title, text, names }: { title: string; text: string; names: readonly string[] }) {
  return (
    <details>
      <summary>
        {title} ({names.length})
      </summary>
      <p class="quiet">{text}</p>
      <ul class="names">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}
