/** Line of the sign-in screen that names the chosen service, and links to its settings. */
import { onChange } from '../on-change'
import type { Mount } from '../panel-context'
import { explain } from '../game/error-advice'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

export const mountServiceSummary: Mount = (element, { address, connection, preset, service, services }) => {
  const { body, tools } = panel(element, 'Service')
  const link = h('a', { href: '#service', class: 'tool-link' }, ['Change the service'])
  tools.append(link)
  const words = h('p', { class: 'service-summary' })
  const fault = h('p', { class: 'fault', role: 'status' })
  body.append(words, fault)
  address.current.subscribe(() => link.setAttribute('href', address.linkTo('service')))
  const show = () => {
    const { kind, host, saved } = service.value
    const name = services.saved.value.find(({ id }) => id === saved)?.name
    words.replaceChildren(
      h('strong', {}, [kind === 'emulator' ? (preset?.name ?? 'Emulator') : (name ?? 'Another service')]),
      ' at ',
      h('code', {}, [(kind === 'emulator' ? preset?.host : host) || 'no host yet']),
    )
    const { error } = connection.value
    fault.replaceChildren(...(error ? [icon('warning'), `${explain(error).code}: ${explain(error).advice}`] : []))
  }
  onChange(services.saved, show)
  connection.subscribe(show)
}
