/** Results of two sign-ins, side by side. */
import type { ComponentChildren } from 'preact'
import type { Facts, Report } from '../../independent/report'
import { Busy } from 'kit/busy'
import { Icon } from 'kit/icon'

const FACTS: readonly { readonly name: keyof Facts; readonly title: string }[] = [
  { name: 'player', title: 'Player (sub)' },
  { name: 'issuer', title: 'Issuer (iss)' },
  { name: 'audience', title: 'Audience (aud)' },
  { name: 'scopes', title: 'Scopes' },
  { name: 'lifetime', title: 'Lifetime' },
  { name: 'refreshToken', title: 'Refresh token' },
]

interface Props {
  foyer: Report
  other: Report
}

export function ComparisonTable({ foyer, other }: Props) {
  if (foyer.state === 'none' && other.state === 'none')
    return (
      <p class="empty">Nobody has signed in yet. The results of both libraries appear here, side by side.</p>
    )
  const isSignedIn = foyer.state === 'signed in' || other.state === 'signed in'
  return (
    <table class="compared">
      <caption class="visually-hidden">Results of both libraries</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Foyer</th>
          <th scope="col">oauth4webapi</th>
        </tr>
      </thead>
      <tbody>
        <ComparisonRow title="Result" foyer={<Outcome report={foyer} />} other={<Outcome report={other} />} />
        {isSignedIn &&
          FACTS.map(({ name, title }) => (
            <ComparisonRow
              title={title}
              foyer={<Fact report={foyer} name={name} />}
              other={<Fact report={other} name={name} />}
              key={name}
            />
          ))}
      </tbody>
    </table>
  )
}

function ComparisonRow({
  title,
  foyer,
  other,
}: {
  title: string
  foyer: ComponentChildren
  other: ComponentChildren
}) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td data-party="Foyer">{foyer}</td>
      <td data-party="oauth4webapi">{other}</td>
    </tr>
  )
}

function Outcome({ report }: { report: Report }) {
  if (report.state === 'none') return <>not run</>
  if (report.state === 'running') return <Busy text={report.text} />
  return (
    <>
      {report.state === 'signed in' ? (
        <p class="result-good">
          <Icon name="check" />
          signed in
        </p>
      ) : (
        <Failure report={report} />
      )}
      {report.notes?.map((note) => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
    </>
  )
}

function Failure({ report: { stage, code, text } }: { report: Extract<Report, { state: 'failed' }> }) {
  return (
    <>
      <p class="result-bad">
        <Icon name="cross" />
        failed at the {stage}
      </p>
      <p>
        <code>{code}</code>
      </p>
      <p class="hint">{text}</p>
    </>
  )
}

function Fact({ report, name }: { report: Report; name: keyof Facts }) {
  return report.state === 'signed in' ? <code>{report.facts[name]}</code> : <>—</>
}
