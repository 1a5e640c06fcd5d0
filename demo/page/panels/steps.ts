/** The story of a sign-in: each step, what was checked, and when. */
import type { Mount } from '../context'
import type { Step } from '../game/steps'
import { checkWords } from '../game/words'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/dom'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

const WORDS = { done: 'Done', warning: 'Warning', failed: 'Failed' }
const ICONS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export const mountSteps: Mount = (element, { steps }) => {
  const { body, tools } = panel(element, 'Steps')
  const copy = copyButton({ what: 'the steps', text: () => steps.toText() })
  const list = h('ol', { class: 'steps' })
  const empty = h('p', { class: 'empty' }, [
    'Nothing has happened yet. Sign in, and every step appears here with what was checked on the way.',
  ])
  tools.append(copy)
  body.append(h('div', {}, [empty, h('div', { role: 'log', 'aria-label': 'Steps of the sign-in' }, [list])]))
  steps.list.watch((all) => {
    empty.hidden = all.length > 0
    copy.hidden = all.length === 0
    // Only what is new is added, so that only that is read out.
    if (all.length < list.childElementCount) list.replaceChildren()
    list.append(...all.slice(list.childElementCount).map(stepItem))
  })
}

function stepItem({ kind, title, detail, checks, at }: Step): HTMLElement {
  return h('li', { class: `step step-${kind}` }, [
    h('span', { class: 'step-mark' }, [icon(ICONS[kind]), h('span', { class: 'visually-hidden' }, [`${WORDS[kind]}: `])]),
    h('div', { class: 'step-body' }, [
      h('p', { class: 'step-head' }, [h('strong', {}, [title]), h('span', { class: 'ms' }, [milliseconds(at)])]),
      h('p', { class: 'step-detail' }, [detail]),
      checks.length > 0 && checkList(checks),
    ]),
  ])
}

function checkList(checks: readonly string[]): HTMLElement {
  return h('details', { class: 'checks' }, [
    h('summary', {}, [`${checks.length} checks passed`]),
    h(
      'dl',
      {},
      checks.flatMap((check) => [h('dt', {}, [icon('check'), check]), h('dd', {}, [checkWords(check)])]),
    ),
  ])
}

function milliseconds(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en')} ms`
}
