/** Result of the settings: the authorize URL with its parameters, and the code that a game would write. */
import { explain } from '../../game/explain'
import type { ArgumentsForm } from '../../game/arguments-form'
import { exampleCode } from './example-code'
import { allChanges } from '../../game/prepare-surface'
import type { Preview } from '../../game/preview'
import { readChanges } from '../../game/request-changes'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'

/** Purpose of a parameter, by which the page groups and colors it. */
type Purpose = 'application' | 'permission' | 'answer' | 'protection'

const PURPOSES: Record<Purpose, string> = {
  application: 'who asks',
  permission: 'what for',
  answer: 'where the answer goes',
  protection: 'protects this attempt',
}

const PURPOSE_OF: Partial<Record<string, Purpose>> = {
  client_id: 'application',
  scope: 'permission',
  integration_type: 'permission',
  redirect_uri: 'answer',
  response_type: 'answer',
  state: 'protection',
  nonce: 'protection',
  code_challenge: 'protection',
  code_challenge_method: 'protection',
}

export function RequestPanel() {
  const { form, connection, preview } = useDemo()
  const { options } = { options: undefined, ...connection.value }
  const code = options ? exampleCode(form.value, options) : '// Configure a service first.'
  return (
    <Panel id="request" title="Request">
      <h3>Authorize URL</h3>
      <div class="address" tabindex={0} role="region" aria-label="Authorize URL">
        {preview.value && <AuthorizeUrl preview={preview.value} form={form.value} />}
      </div>
      <ul class="purposes" aria-label="Colors of the parameters">
        {Object.entries(PURPOSES).map(([purpose, words]) => (
          <li class={`purpose-${purpose}`} key={purpose}>
            {words}
          </li>
        ))}
      </ul>
      <div class="code-head">
        <h3>Code</h3>
        <CopyButton what="the code" text={() => code} />
      </div>
      <pre class="code" tabindex={0} role="region" aria-label="Code of a game">
        {code}
      </pre>
    </Panel>
  )
}

function AuthorizeUrl({ preview: { url, error }, form }: { preview: Preview; form: ArgumentsForm }) {
  const { connection } = useDemo()
  if (error)
    return (
      <p class="fault">
        <Icon name="warning" />
        {`${error.code}: ${explain(error).detail}`}
      </p>
    )
  const random = randomParameters(form)
  const changes = allChanges(form, connection.value)
  const changed = new Set(changes.map(({ name }) => name))
  return (
    <>
      <p class="base">{url.origin + url.pathname}</p>
      <ul>
        {[...url.searchParams].map(([name, value]) => (
          <Parameter
            name={name}
            value={random.has(name) ? undefined : value}
            isChanged={changed.has(name)}
            key={name}
          />
        ))}
        {changes.map(({ name, value }) => value === undefined && <LeftOut name={name} key={name} />)}
      </ul>
    </>
  )
}

function LeftOut({ name }: { name: string }) {
  return (
    <li>
      <del class="name">{name}</del> <span class="tag tag-changed">left out by you</span>
    </li>
  )
}

interface ParameterProps {
  name: string
  value: string | undefined
  isChanged: boolean
}

function Parameter({ name, value, isChanged }: ParameterProps) {
  const purpose = PURPOSE_OF[name]
  return (
    <li class={purpose && `purpose-${purpose}`}>
      <span class="name">{name}</span>
      {value === undefined ? <span class="tag">random at click</span> : <span class="value">{value}</span>}
      {isChanged && <span class="tag tag-changed">changed by you</span>}
      {purpose && <span class="visually-hidden">{` (${PURPOSES[purpose]})`}</span>}
    </li>
  )
}

/** Returns the parameters that differ at every click, unless they were given. */
function randomParameters(form: ArgumentsForm): ReadonlySet<string> {
  const { state, nonce, ownPair, mode, redirectUri } = form
  const isPort = mode === 'loopback' && redirectUri === ''
  const random = { state: !state, nonce: !nonce, code_challenge: !ownPair, redirect_uri: isPort }
  const changed = new Set(readChanges(form).map(({ name }) => name))
  return new Set(
    Object.entries(random).flatMap(([name, isRandom]) => (isRandom && !changed.has(name) ? [name] : [])),
  )
}
