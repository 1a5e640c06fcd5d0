/** Table of the named values of a message: its parameters, headers or fields. */
import type { ComponentChildren } from 'preact'
import { Breakable } from './breakable'

export interface NamedValue {
  name: string
  value: ComponentChildren
}

interface NamedValuesProps {
  /** Default: none is shown, since a heading above says it. */
  caption?: string
  values: readonly NamedValue[]
}

export function NamedValues({ caption, values }: NamedValuesProps) {
  return (
    <table class="fields">
      {caption !== undefined && <caption>{caption}</caption>}
      <tbody>
        {values.map(({ name, value }, index) => (
          // A name may occur twice.
          <tr key={`${index} ${name}`}>
            <th scope="row">
              <Breakable text={name} />
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
