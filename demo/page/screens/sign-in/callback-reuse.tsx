/** Buttons that use a callback twice, and show the outcome. */
import { AuthorizationResult, Client, FoyerError } from 'foyer-sdk'
import { useState } from 'preact/hooks'
import type { DemoContext } from '../../context/demo-context'
import { useDemo } from '../../context/use-demo'
import type { ExchangeRecorder } from '../../exchanges/exchange-recorder'
import { explain } from '../../game/explain'
import type { FinishedSignIn } from '../../game/sign-in'

interface Experiment {
  label: string
  run: (answered: FinishedSignIn, exchanges: ExchangeRecorder) => Promise<ExperimentResult>
}

const EXPERIMENTS: readonly Experiment[] = [
  { label: 'Redeem the code again', run: redeemAgain },
  { label: 'Load the callback again', run: deliverAgain },
  { label: 'Steal the code', run: stealCode },
]

export function CallbackReuse() {
  const context = useDemo()
  const [outcome, setOutcome] = useState('')
  const attempt = async (experiment: Experiment) => {
    setOutcome(`${experiment.label} …`)
    setOutcome(await outcomeOf(experiment, context))
  }
  return (
    <section class="experiments" aria-label="Experiments">
      <h3>Use the callback twice</h3>
      <p class="hint">
        A code can be redeemed once. Redeeming it again returns the tokens that the game already has, without
        a request. Loading the callback again returns the same result, or is refused if its attempt is over,
        as after a popup. The service refuses an attacker without the verifier.
      </p>
      <div class="buttons">
        {EXPERIMENTS.map((experiment) => (
          <button
            type="button"
            class="secondary"
            key={experiment.label}
            onClick={() => void attempt(experiment)}
          >
            {experiment.label}
          </button>
        ))}
      </div>
      <p class="outcome" role="status">
        {outcome}
      </p>
    </section>
  )
}

async function outcomeOf(
  { label, run }: Experiment,
  { signIn, runs, exchanges }: DemoContext,
): Promise<string> {
  if (!signIn.answered)
    return 'There is no callback to use: this session was restored from its store. Sign in again first.'
  try {
    const { isExpected, text } = await run(signIn.answered, exchanges)
    runs.note({ kind: isExpected ? 'done' : 'failed', title: label, detail: text })
    return text
  } catch (error) {
    const { className, code } = explain(error)
    runs.fail(error)
    return `Refused: ${code} (${className}).`
  }
}

/** Outcome of an experiment that uses a callback twice: by the game itself, or by an attacker. */
interface ExperimentResult {
  /** True if the outcome is the expected one. */
  isExpected: boolean
  text: string
}

/** Redeems the same result again, as a page does that runs its start-up code twice. */
async function redeemAgain({ client, result, verifier }: FinishedSignIn): Promise<ExperimentResult> {
  const before = client.session?.tokens ?? (await client.getToken(result, verifier))
  const tokens = await client.getToken(result, verifier)
  return tokens.accessToken.reveal() === before.accessToken.reveal()
    ? { isExpected: true, text: 'The same tokens came back, and no request was sent.' }
    : { isExpected: false, text: 'Other tokens came back: the code was redeemed twice.' }
}

/** Handles the same callback URL again, as with the back button. */
async function deliverAgain({ client, result, callbackUrl }: FinishedSignIn): Promise<ExperimentResult> {
  try {
    const again = await client.handleCallback(callbackUrl)
    return again === result
      ? { isExpected: true, text: 'The same result came back: one callback, one sign-in.' }
      : { isExpected: false, text: 'Another result came back: one callback caused two sign-ins.' }
  } catch (error) {
    return expectRefusal(
      error,
      'state_mismatch',
      'The attempt of this callback is over, so no new one starts.',
    )
  }
}

/** Redeems the code without the verifier, as an attacker would, with a separate client. */
async function stealCode(
  { options, result }: FinishedSignIn,
  exchanges: ExchangeRecorder,
): Promise<ExperimentResult> {
  // Its requests are none of the run.
  const fetch = (input: string, init: RequestInit) => exchanges.send(input, init, 'attacker')
  const attacker = new Client({ ...options, fetch })
  try {
    const stolen = AuthorizationResult.fromTrustedCode(result.code, result.redirectUri ?? '')
    await attacker.getToken(stolen, attacker.createAuthorizationCodeVerifier().verifier)
    return { isExpected: false, text: 'The service issued tokens for a used code, which it must not.' }
  } catch (error) {
    return expectRefusal(
      error,
      'invalid_grant',
      'The attacker has the code but not the verifier, and gets no tokens.',
    )
  } finally {
    attacker.close()
  }
}

/** Converts the expected error to a finding. Rethrows any other error. */
function expectRefusal(error: unknown, code: string, why: string): ExperimentResult {
  if (error instanceof FoyerError && error.code === code)
    return { isExpected: true, text: `Refused: ${code}. ${why}` }
  throw error
}
