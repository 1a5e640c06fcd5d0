/** Client secret for tests at a service that insists on one: in memory only, and for the unrelated library only. */
import type { DemoContext } from '../panel-context'
import { h } from '../ui/create-element'
import { choice } from '../ui/input-field'
import { icon } from '../ui/icons'

export function clientAuthentication({ independent }: DemoContext): HTMLElement {
  const { authentication } = independent
  const input = h('input', {
    id: 'client-secret',
    type: 'password',
    autocomplete: 'off',
    'aria-describedby': 'client-secret-hint',
    oninput: () => (authentication.value = { ...authentication.value, secret: input.value }),
  })
  // Browsers expect password fields in a form; this one sends nothing.
  const secret = h('form', { class: 'field', onsubmit: (event: Event) => event.preventDefault() }, [
    h('label', { for: 'client-secret' }, ['Client secret, for this test']),
    input,
    h('p', { class: 'secret-warning', id: 'client-secret-hint' }, [
      icon('warning'),
      h('span', {}, [
        'A game never has a client secret: everybody who has its page could read it. Use the secret of a test application. It stays in memory, is never saved or exported, and is cleared when the settings change or the page is left. Foyer’s client has no option for it.',
      ]),
    ]),
  ])
  const element = h('div', { class: 'authentication' }, [
    choice('client-authentication', {
      legend: 'Client secret',
      hint: 'For oauth4webapi only.',
      value: authentication.value.method,
      choices: [
        { value: 'none', label: 'none' },
        { value: 'post', label: 'in the body' },
        { value: 'basic', label: 'as Basic' },
      ],
      onChange: (method) => (authentication.value = { method, secret: method === 'none' ? '' : authentication.value.secret }),
    }),
    secret,
  ])
  authentication.subscribe(({ method, secret: value }) => {
    secret.hidden = method === 'none'
    if (input.value !== value) input.value = value
  })
  return element
}
