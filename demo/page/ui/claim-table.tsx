/** Header or claims of a token: each with its value and its meaning. */
import { ClaimValue } from 'kit/claim-value'
import { claimLabel } from '../game/step-labels'

interface Props {
  caption: string
  values: Readonly<Record<string, unknown>>
  /** Epoch ms; relative times refer to it. */
  now: number
}

export function ClaimTable({ caption, values, now }: Props) {
  return (
    <table class="fields claim-table">
      <caption>{caption}</caption>
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <ClaimValue name={name} value={value} now={now} />
            </td>
            <td class="meaning">{claimLabel(name)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
