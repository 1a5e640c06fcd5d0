/** Result of the settings: the authorize URL with its parameters, and the code that a game would write. */
import { onChange } from '../on-change'
import type { Mount } from '../panel-context'
import { explain } from '../game/error-advice'
import type { ArgumentsForm } from '../game/sign-in-arguments'
import { exampleCode } from '../game/example-code'
import { type Preview, purposeOf, type Purpose, randomParameters } from '../game/authorize-url-preview'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

export const mountAuthorizePreview: Mount = (element, context) => {
  const { body } = panel(element, 'Request')
  const address = h('div', { class: 'address', tabindex: 0, role: 'region', 'aria-label': 'Authorize URL' })
  const code = h('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'Code of a game' })
  body.append(
    h('h3', {}, ['Authorize URL']),
    address,
    legend(),
    h('div', { class: 'code-head' }, [h('h3', {}, ['Code']), copyButton({ what: 'the code', text: () => code.textContent })]),
    code,
  )
  const showCode = () => {
    const { options } = { options: undefined, ...context.connection.value }
    code.textContent = options ? exampleCode(context.form.value, options) : '// Configure a service first.'
  }
  onChange(context.form, showCode)
  context.connection.subscribe(showCode)
  context.preview.subscribe((preview) => preview && address.replaceChildren(...addressLines(preview, context.form.value)))
}

function addressLines({ url, error }: Preview, form: ArgumentsForm): Node[] {
  if (error) return [h('p', { class: 'fault' }, [icon('warning'), `${error.code}: ${explain(error).detail}`])]
  const random = randomParameters(form)
  const parameters = [...url.searchParams].map(([name, value]) => ({ name, value: random.has(name) ? undefined : value }))
  return [h('p', { class: 'base' }, [url.origin + url.pathname]), h('ul', {}, parameters.map(parameterItem))]
}

function parameterItem({ name, value }: { name: string; value: string | undefined }): HTMLElement {
  const purpose = purposeOf(name)
  return h('li', { class: purpose && `purpose-${purpose}` }, [
    h('span', { class: 'name' }, [name]),
    value === undefined ? h('span', { class: 'tag' }, ['random at click']) : h('span', { class: 'value' }, [value]),
    purpose && h('span', { class: 'visually-hidden' }, [` (${PURPOSES[purpose]})`]),
  ])
}

const PURPOSES: Record<Purpose, string> = {
  application: 'who asks',
  permission: 'what for',
  answer: 'where the answer goes',
  protection: 'protects this attempt',
}

function legend(): HTMLElement {
  const entries = Object.entries(PURPOSES).map(([purpose, words]) => h('li', { class: `purpose-${purpose}` }, [words]))
  return h('ul', { class: 'purposes', 'aria-label': 'Colors of the parameters' }, entries)
}
