/** Doctor screen: what a sign-in needs of page, browser and service, each with its finding or remedy. */
import { testPopup } from '../game/check-browser-windows'
import type { Diagnosis } from '../game/diagnosis'
import { diagnose } from '../game/run-doctor'
import type { Mount } from '../panel-context'
import { busy } from '../ui/busy-line'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

/** Check that needs a click of its own: browsers open windows only then. */
const POPUP = 'Test window'
const ICONS = { passed: 'check', warning: 'warning', failed: 'cross' } as const
const WORDS = { passed: 'Passed', warning: 'Warning', failed: 'Failed' }

export const mountDoctor: Mount = (element, { connection, exchanges, clock }) => {
  const { body, tools } = panel(element, 'Doctor', [
    'Checks this page, this browser and the service of the settings. Sends only what the checks need: a signed-in player writes to a lobby that does not exist.',
  ])
  const list = h('ul', { class: 'diagnoses' })
  const status = h('p', { role: 'status', class: 'hint' }, ['Not run yet.'])
  let found: readonly Diagnosis[] = []
  const run = async () => {
    status.replaceChildren(busy('Checking…'))
    show(await diagnose({ connection: connection.value, exchanges, clock }))
  }
  const show = (all: readonly Diagnosis[]) => {
    found = all
    list.replaceChildren(...found.map(diagnosisItem))
    status.textContent = summary(found)
    copy.hidden = false
  }
  const openWindow = async () => {
    const finding = await testPopup()
    show([{ check: POPUP, ...finding }, ...found.filter(({ check }) => check !== POPUP)])
  }
  const copy = copyButton({
    what: 'the report',
    text: () => found.map(({ check, result, text }) => `${WORDS[result]}: ${check}. ${text}`).join('\n'),
  })
  copy.hidden = true
  tools.append(
    copy,
    h('button', { type: 'button', class: 'secondary', onclick: () => void openWindow() }, ['Open a test window']),
    h('button', { type: 'button', class: 'secondary', id: 'run-doctor', onclick: () => void run() }, ['Run the checks']),
  )
  body.append(status, list)
}

function summary(found: readonly Diagnosis[]): string {
  const count = (result: Diagnosis['result']) => found.filter((one) => one.result === result).length
  return `${count('passed')} passed, ${count('warning')} warnings, ${count('failed')} failed.`
}

function diagnosisItem({ check, result, text }: Diagnosis): HTMLElement {
  return h('li', { class: `diagnosis diagnosis-${result}` }, [
    icon(ICONS[result]),
    h('div', {}, [h('strong', {}, [`${WORDS[result]}: `, check]), h('p', { class: 'hint' }, [text])]),
  ])
}
