/** List of the steps of a sign-in, each with its checks and time. */
import type { Mount } from '../panel-context'
import type { SignInStep } from '../game/sign-in-timeline'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'
import { checkList } from './response-check-results'

const WORDS = { done: 'Done', warning: 'Warning', failed: 'Failed' }
const ICONS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export const mountSteps: Mount = (element, { steps }) => {
  const { body, tools } = panel(element, 'Steps')
  const copy = copyButton({ what: 'the steps', text: () => steps.toText() })
  const list = h('ol', { class: 'steps' })
  let drawn: readonly SignInStep[] = []
  const empty = h('p', { class: 'empty' }, ['No steps yet. Sign in, and every step appears here with its checks.'])
  tools.append(copy)
  body.append(h('div', {}, [empty, h('div', { role: 'log', 'aria-label': 'Steps of the sign-in' }, [list])]))
  steps.list.watch((all) => {
    empty.hidden = all.length > 0
    copy.hidden = all.length === 0
    if (all.length < drawn.length) list.replaceChildren()
    // Render only new or changed steps, so that a screen reader reads only those.
    for (const [index, step] of all.entries()) {
      if (drawn[index] === step) continue
      const old = list.children[index]
      if (old) old.replaceWith(stepItem(step))
      else list.append(stepItem(step))
    }
    drawn = all
  })
}

function stepItem({ kind, title, detail, checks, at }: SignInStep): HTMLElement {
  return h('li', { class: `step step-${kind}` }, [
    h('span', { class: 'step-mark' }, [icon(ICONS[kind]), h('span', { class: 'visually-hidden' }, [`${WORDS[kind]}: `])]),
    h('div', { class: 'step-body' }, [
      h('p', { class: 'step-head' }, [h('strong', {}, [title]), h('span', { class: 'ms' }, [milliseconds(at)])]),
      h('p', { class: 'step-detail' }, [detail]),
      checks.length > 0 && checkList(checks),
    ]),
  ])
}

function milliseconds(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en')} ms`
}
