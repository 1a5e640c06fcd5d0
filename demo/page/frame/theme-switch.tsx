/** Light, dark or system theme; saved on this machine. */
import { readSettings, saveSettings } from '../foundation/saved-settings'
import { Icon, type IconName } from 'kit/icon'

const THEMES = [
  { value: 'system', label: 'System theme', icon: 'screen' },
  { value: 'light', label: 'Light theme', icon: 'sun' },
  { value: 'dark', label: 'Dark theme', icon: 'moon' },
] as const satisfies readonly { value: string; label: string; icon: IconName }[]

/** Applies what was saved. */
export function applyTheme(): void {
  apply(savedTheme())
}

function savedTheme(): string {
  return readSettings('theme')['name'] ?? 'system'
}

export function ThemeSwitch() {
  const chosen = savedTheme()
  return (
    <fieldset class="theme">
      <legend class="visually-hidden">Theme</legend>
      {THEMES.map(({ value, label, icon }) => (
        <label title={label} key={value}>
          <input
            type="radio"
            name="theme"
            value={value}
            defaultChecked={value === chosen}
            onChange={() => choose(value)}
          />
          <span>
            <Icon name={icon} />
            <span class="visually-hidden">{label}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function choose(theme: string): void {
  apply(theme)
  saveSettings('theme', { name: theme })
}

function apply(theme: string): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
  else delete document.documentElement.dataset['theme']
}
