/** Commands studio: editor, problems, sizes, preview, plan and sync. Loaded when its screen is first shown. */
import type { DemoContext } from '../panel-context'
import { readSettings, saveSettings } from '../saved-settings'
import { busy } from '../ui/busy-line'
import { h } from '../ui/create-element'
import { type CheckedCommands, checkCommands, isDeployable } from './check-commands'
import { deploy } from './deploy-commands'
import { EXAMPLE_COMMANDS } from './example-commands'
import { type JsonEditor, jsonEditor } from './json-editor'
import { permissionMatrix } from './permission-matrix'
import { localesIn, type PreviewedCommand, previewCommand } from './preview-command'

const SETTING = 'commands'
const DEFAULT_LOCALE = 'en-US'

export function mountStudio(body: HTMLElement, context: DemoContext): void {
  const results = h('div', { class: 'studio-results' })
  const text = readSettings(SETTING)['text'] ?? JSON.stringify(EXAMPLE_COMMANDS, null, 2)
  const editor = jsonEditor({
    text,
    label: 'Commands as JSON',
    check: (now) => checkCommands(now).problems,
    onChange: (now) => {
      saveSettings(SETTING, { text: now })
      show(checkCommands(now))
    },
  })
  const problems = h('div', { class: 'studio-problems', role: 'status' })
  const sizes = h('ul', { class: 'studio-sizes', 'aria-label': 'Sizes' })
  const preview = previewView()
  const deployment = deploymentView(context, editor)
  const show = (checked: CheckedCommands) => {
    problems.replaceChildren(...problemList(checked, editor))
    if (checked.commands) sizes.replaceChildren(...checked.commands.map((command, index) => sizeItem(command, checked.sizes[index]?.total)))
    preview.show(checked)
    deployment.show(checked)
  }
  results.append(problems, sizes, preview.element, deployment.element)
  body.replaceChildren(h('div', { class: 'studio' }, [editor.element, results]))
  show(checkCommands(editor.text))
}

function problemList({ problems }: CheckedCommands, editor: JsonEditor): HTMLElement[] {
  if (problems.length === 0) return [h('p', { class: 'hint' }, ['No problem: the service accepts these commands.'])]
  return [
    h('p', { class: 'hint' }, [`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`]),
    h(
      'ul',
      {},
      problems.map(({ path, message, level }) =>
        h('li', { class: `problem-${level}` }, [
          h('button', { type: 'button', class: 'quiet', onclick: () => editor.goTo(path) }, [
            h('strong', {}, [level === 'error' ? 'Error' : 'Warning']),
            path !== '' && h('code', {}, [path]),
            h('span', {}, [message]),
          ]),
        ]),
      ),
    ),
  ]
}

function sizeItem({ name }: Record<string, unknown>, total = 0): HTMLElement {
  const words = `${total.toLocaleString('en')} of 8,000 characters`
  const label = typeof name === 'string' ? name : 'a command without a name'
  return h('li', {}, [
    h('code', {}, [label]),
    h('meter', { min: 0, max: 8000, high: 7200, value: total, 'aria-label': `Size of ${label}` }),
    h('span', { class: 'hint' }, [words]),
  ])
}

/** Preview of the chat's list of commands, in the chosen locale. */
function previewView(): { element: HTMLElement; show: (checked: CheckedCommands) => void } {
  const list = h('ul', { class: 'studio-preview' })
  const select = h('select', { id: 'preview-locale', onchange: () => draw() })
  let shown: readonly Record<string, unknown>[] = []
  const draw = () => list.replaceChildren(...shown.flatMap((command) => previewCommand(command, select.value).map(previewItem)))
  return {
    element: h('section', { 'aria-labelledby': 'preview-title' }, [
      h('h3', { id: 'preview-title' }, ['In the chat']),
      h('label', { for: 'preview-locale' }, ['Language of the player ']),
      select,
      list,
    ]),
    show({ commands }) {
      if (!commands) return
      shown = commands
      const chosen = select.value || DEFAULT_LOCALE
      const locales = [...new Set([DEFAULT_LOCALE, ...localesIn(commands)])]
      select.replaceChildren(...locales.map((locale) => h('option', { value: locale, selected: locale === chosen }, [locale])))
      draw()
    },
  }
}

function previewItem({ label, description, options, kind }: PreviewedCommand): HTMLElement {
  return h('li', {}, [
    h('strong', {}, [label]),
    ...options.map(({ name, isRequired }) => h('span', { class: 'studio-option' }, [isRequired ? name : `${name} (optional)`])),
    kind !== 'slash' && h('span', { class: 'tag' }, [kind]),
    h('span', { class: 'hint' }, [description]),
  ])
}

/** Plan and sync at the emulator; nothing is sent before a button is pressed. */
function deploymentView(context: DemoContext, editor: JsonEditor): { element: HTMLElement; show: (checked: CheckedCommands) => void } {
  const output = h('pre', { class: 'studio-plan', tabindex: 0, 'aria-label': 'Plan', hidden: true })
  const status = h('p', { class: 'hint', role: 'status' })
  const chat = h('a', { href: `${context.preset?.host ?? ''}/chat`, target: '_blank', rel: 'noopener' }, [
    'Use them in the emulator’s chat',
  ])
  chat.hidden = true
  const matrix = permissionMatrix()
  const run = async (action: 'plan' | 'sync') => {
    const { commands } = checkCommands(editor.text)
    status.replaceChildren(busy(action === 'plan' ? 'Comparing…' : 'Registering…'))
    try {
      const { plan, requests } = await deploy(action, commands ?? [])
      output.textContent = plan
      output.hidden = false
      chat.hidden = action === 'plan'
      if (action === 'sync') matrix.refresh()
      status.textContent = action === 'plan' ? 'Nothing was changed.' : `Registered, with ${requests} requests.`
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  const button = (label: string, action: 'plan' | 'sync') =>
    h('button', { type: 'button', class: 'secondary', onclick: () => void run(action) }, [label])
  const buttons = h('div', { class: 'buttons' }, [button('Compare with the emulator', 'plan'), button('Register', 'sync')])
  const none = h('p', { class: 'hint' }, ['Select the emulator in the service settings to compare and register commands.'])
  return {
    element: h('section', { 'aria-label': 'Register' }, [buttons, none, status, output, chat, matrix.element]),
    show(checked) {
      const isPossible = context.faultControls() !== undefined
      buttons.hidden = !isPossible
      none.hidden = isPossible
      matrix.element.hidden = !isPossible
      for (const one of buttons.querySelectorAll('button')) one.disabled = !isDeployable(checked)
    },
  }
}
