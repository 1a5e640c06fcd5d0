/** Notice above every screen: the service does not answer, or it is back. */
import { onChange } from '../on-change'
import type { Mount } from '../panel-context'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'

const LOST = 'does not answer. What you typed is kept, and this page goes on by itself when it is back.'
const RESTARTED = 'The emulator was started again: sessions, lobbies and commands of before are gone. What you typed is kept.'
const BACK = 'The service answers again.'

export const mountConnection: Mount = (element, { reach, service }) => {
  const lost = h('p', { role: 'alert' })
  const back = h('p', { role: 'status' })
  const dismiss = h('button', { type: 'button', class: 'quiet', onclick: () => (element.hidden = true) }, ['Dismiss'])
  element.append(lost, back, dismiss)
  element.hidden = true
  onChange(reach, (now) => {
    const name = service.value.kind === 'emulator' ? 'The emulator' : (service.value.host ?? 'The service')
    element.hidden = false
    element.dataset['reach'] = now
    lost.replaceChildren(...(now === 'lost' ? [icon('warning'), `${name} ${LOST}`] : []))
    back.replaceChildren(...(now === 'lost' ? [] : [icon('check'), now === 'restarted' ? RESTARTED : BACK]))
    dismiss.hidden = now === 'lost'
  })
}
