/** Commands screen: loads the studio, with its editor, when the screen is first shown. */
import type { Mount } from '../panel-context'
import { h } from '../ui/create-element'
import { panel } from '../ui/panel'

export const mountCommands: Mount = (element, context) => {
  const { body } = panel(element, 'Commands', [
    'Edit the commands as JSON: each problem appears where it is. Nothing is sent until you compare or register.',
  ])
  body.append(h('p', { class: 'empty', role: 'status' }, ['Loading the editor…']))
  const open = async () => {
    if (location.hash !== '#commands') return
    window.removeEventListener('hashchange', listen)
    try {
      const { mountStudio } = await import('../commands/mount-studio')
      mountStudio(body, context)
    } catch {
      body.replaceChildren(h('p', { class: 'fault', role: 'alert' }, ['The editor could not be loaded. Open the screen again.']))
      window.addEventListener('hashchange', listen)
    }
  }
  const listen = () => void open()
  window.addEventListener('hashchange', listen)
  void open()
}
