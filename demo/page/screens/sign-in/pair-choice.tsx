/** Choice between a PKCE pair of the client and one made by the page. */
import { useEffect } from 'preact/hooks'
import type { ArgumentsForm } from '../../game/arguments-form'
import { onChange } from '../../foundation/on-change'
import type { DemoContext } from '../../context/demo-context'
import { Choice } from 'kit/field'
import { SecretField } from '../../ui/secret-field'
import { useDemo } from '../../context/use-demo'

const HINT =
  'The public half of a PKCE pair (S256). The verifier never leaves the game before the code is redeemed. Your own pair works with a popup only: a redirect empties this page’s memory.'

/** A pair made by the page is in memory, which a redirect discards: it is offered for popups alone. */
export function PairChoice() {
  const context = useDemo()
  const { form, signIn } = context
  const { ownPair, mode } = form.value
  // A pair is valid for one attempt.
  useEffect(
    () =>
      onChange(signIn.progress, ({ phase }) => {
        if (form.value.ownPair && (phase === 'signed-in' || phase === 'failed'))
          form.value = withPair(context)
      }),
    [context],
  )
  const choose = (value: 'client' | 'own') => {
    form.value = value === 'own' ? withPair(context) : { ...form.value, ownPair: undefined }
  }
  return (
    <Choice
      name="pair"
      legend="CodeChallenge"
      hint={HINT}
      value={ownPair ? 'own' : 'client'}
      choices={[
        { value: 'client', label: 'made by the client' },
        { value: 'own', label: 'my own pair', disabled: mode === 'redirect' },
      ]}
      onChange={choose}
    >
      <div class="own-pair">
        {ownPair && (
          <>
            <p>
              Challenge <code>{ownPair.challenge.challenge}</code>
            </p>
            <SecretField name="Verifier" secret={ownPair.verifier} />
          </>
        )}
      </div>
    </Choice>
  )
}

function withPair({ form, connection }: DemoContext): ArgumentsForm {
  return { ...form.value, ownPair: connection.value.client?.createAuthorizationCodeVerifier() }
}
