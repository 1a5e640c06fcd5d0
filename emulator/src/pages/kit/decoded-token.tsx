/** JSON Web Token, decoded: as it was sent, then each value of its header and each claim, with the result of its check. */
import { ClaimValue } from './claim-value.js'
import { CopyButton } from './copy-button.js'
import { EncodedToken } from './encoded-token.js'
import { Icon } from './icon.js'

type CheckResult = 'passed' | 'absent' | 'failed'

const MARKS = { passed: 'check', absent: 'dot', failed: 'cross' } as const

type Values = Readonly<Record<string, unknown>>

interface DecodedTokenProps {
  /** Name of the token: "ID token". */
  name: string
  /** The token as it was sent. Default: it is not shown. */
  encoded?: string | undefined
  /** Default: none is known. */
  header?: Values
  claims: Values
  /** Result of the check of a claim, or of a value of the header by `header.NAME`. Default: nothing was checked. */
  resultOf?: (check: string) => CheckResult | undefined
  /** Sentence below the heading. */
  note?: string | undefined
  /** Epoch ms; relative times refer to it. */
  now: number
}

export function DecodedToken({
  name,
  encoded,
  header = {},
  claims,
  resultOf = () => undefined,
  note,
  now,
}: DecodedTokenProps) {
  return (
    <>
      <div class="token-head">
        <h3>{name}</h3>
        <CopyButton
          what={`the claims of the ${name}`}
          label=""
          text={() => JSON.stringify(claims, null, 2)}
        />
      </div>
      {note !== undefined && <p class="claim-absent">{note}</p>}
      {encoded !== undefined && (
        <p>
          <EncodedToken token={encoded} />
        </p>
      )}
      <table class="fields claims" aria-label={`Claims of the ${name}`}>
        <tbody>
          {Object.entries(header).map(([key, value]) => (
            <Claim name={key} value={value} result={resultOf(`header.${key}`)} now={now} key={key} />
          ))}
        </tbody>
        <tbody>
          {Object.entries(claims).map(([key, value]) => (
            <Claim name={key} value={value} result={resultOf(key)} now={now} key={key} />
          ))}
        </tbody>
      </table>
    </>
  )
}

interface ClaimProps {
  name: string
  value: unknown
  result: CheckResult | undefined
  /** Epoch ms. */
  now: number
}

function Claim({ name, value, result, now }: ClaimProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        {result && (
          <span class={`check-${result}`}>
            <Icon name={MARKS[result]} />
            <span class="visually-hidden">{result}</span>
          </span>
        )}
      </th>
      <td>
        <ClaimValue name={name} value={value} now={now} />
      </td>
    </tr>
  )
}
