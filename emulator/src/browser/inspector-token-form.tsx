/** Form for the control token, for a page that was opened without the link of the terminal. */
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { read, setToken } from './control/inspector-api.js'

/** @param enter called after the emulator has accepted the token. */
export function TokenForm({ enter }: { enter: () => void }) {
  const [problem, setProblem] = useState('')
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')
    setToken(typeof token === 'string' ? token : '')
    await read('clock').then(enter, (error: unknown) =>
      setProblem(`Not opened: ${error instanceof Error ? error.message : String(error)}.`),
    )
  }
  return (
    <>
      <form class="token-form" onSubmit={(event) => void submit(event)}>
        <label>
          Control token <input name="token" type="password" autocomplete="off" required />
        </label>
        <button class="primary">Open</button>
      </form>
      <p class={problem === '' ? '' : 'problem'} role="alert">
        {problem}
      </p>
    </>
  )
}
