/** Head of the lobby screen: the secret through which both players join the same lobby. */
import { useState } from 'preact/hooks'
import { newSecret } from '../../context/workbench'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'

const INTRO =
  'Anyone with the secret can join. The first player to join creates the lobby; it ends when nobody has used it for five minutes.'

const HIDDEN = { type: 'password' } as const
const REVEALED = { type: 'text' } as const

export function LobbySecretPanel() {
  const { secret } = useDemo().workbench
  const [isRevealed, setRevealed] = useState(false)
  return (
    <Panel id="meeting" title="Lobby secret" intro={INTRO}>
      <form class="field" onSubmit={(event) => event.preventDefault()}>
        <label for="lobby-secret">Secret of the lobby</label>
        <div class="inline secret-line">
          <input
            id="lobby-secret"
            {...(isRevealed ? REVEALED : HIDDEN)}
            maxlength={250}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={secret.value}
            onInput={({ currentTarget }) => (secret.value = currentTarget.value)}
          />
          <div class="buttons">
            <button
              type="button"
              class="quiet"
              aria-label="Reveal or hide the secret"
              onClick={() => setRevealed(!isRevealed)}
            >
              <Icon name="eye" />
              <span>{isRevealed ? 'Hide' : 'Reveal'}</span>
            </button>
            <CopyButton what="the secret" text={() => secret.value} />
            <button type="button" class="secondary" onClick={() => (secret.value = newSecret())}>
              New secret
            </button>
          </div>
        </div>
      </form>
    </Panel>
  )
}
