/** Light, dark or system theme; saved on this machine. */
import { readSettings, saveSettings } from '../saved-settings'
import { h } from './create-element'
import { icon, type IconName } from './icons'

const THEMES = [
  { value: 'system', label: 'System theme', icon: 'screen' },
  { value: 'light', label: 'Light theme', icon: 'sun' },
  { value: 'dark', label: 'Dark theme', icon: 'moon' },
] as const satisfies readonly { value: string; label: string; icon: IconName }[]

export function themeSwitch(): HTMLElement {
  const chosen = readSettings('theme')['name'] ?? 'system'
  apply(chosen)
  return h('fieldset', { class: 'theme' }, [
    h('legend', { class: 'visually-hidden' }, ['Theme']),
    ...THEMES.map(({ value, label, icon: name }) =>
      h('label', { title: label }, [
        h('input', { type: 'radio', name: 'theme', value, checked: value === chosen, onchange: () => choose(value) }),
        h('span', {}, [icon(name), h('span', { class: 'visually-hidden' }, [label])]),
      ]),
    ),
  ])
}

function choose(theme: string): void {
  apply(theme)
  saveSettings('theme', { name: theme })
}

function apply(theme: string): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
  else delete document.documentElement.dataset['theme']
}
