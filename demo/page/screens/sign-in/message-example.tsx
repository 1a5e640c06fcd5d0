/** Place of the messages before the first run: what will be there, drawn as an example, and the first action. */
import { useDemo } from '../../context/use-demo'
import { byId } from '../../foundation/by-id'

interface Part {
  readonly title: string
  /** A value of `…` is drawn as one that is masked. */
  readonly rows: readonly (readonly [name: string, value: string])[]
}

const PARTS: readonly Part[] = [
  {
    title: 'Request',
    rows: [
      ['grant_type', 'authorization_code'],
      ['code', '…'],
      ['code_verifier', '…'],
      ['client_id', 'this game'],
    ],
  },
  {
    title: 'Response 200',
    rows: [
      ['access_token', '…'],
      ['expires_in', '604800'],
      ['id_token', '…'],
      ['scope', 'openid'],
    ],
  },
  {
    title: 'ID token',
    rows: [
      ['sub ✓', 'the player'],
      ['aud ✓', 'this game'],
      ['exp ✓', 'in 59 min'],
      ['nonce ✓', 'of this sign-in'],
    ],
  },
]

export function MessageExample() {
  return (
    <div class="message-example">
      <p>
        Choose a step of a run, and see here what was sent, what came back, and the decoded token with each
        check of the SDK.
      </p>
      <FirstAction />
      {/* Its words are above: a picture for those who see it. */}
      <div class="exchange-parts" aria-hidden="true">
        {PARTS.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <table class="fields">
              <tbody>
                {rows.map(([name, value]) => (
                  <tr key={name}>
                    <th>{name}</th>
                    <td>
                      <code>{value === '…' ? '••••••••••••' : value}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </div>
  )
}

/** Presses the button that begins a run: it stays the only place of a sign-in, and of its result. */
function FirstAction() {
  const { faultControls, preset, connection } = useDemo()
  const { client } = connection.value
  const isInstant = faultControls() !== undefined && preset !== null && !client?.activity.launch
  return (
    <button
      type="button"
      class="secondary"
      onClick={() => byId(isInstant ? 'quick-start' : 'sign-in-button').click()}
    >
      {isInstant ? 'Begin with a test player' : 'Begin with a sign-in'}
    </button>
  )
}
