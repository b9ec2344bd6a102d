import type { Theme } from '../state/explorer-state.ts'
import { useExplorer } from '../state/explorer-state.ts'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

/** The selector of the theme: light, dark, or the system setting. */
export const ThemeSwitch = () => {
  const { theme } = useExplorer()
  return (
    <fieldset class="switch">
      <legend class="unseen">Theme</legend>
      {THEMES.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="theme"
            checked={theme.value === value}
            onChange={() => {
              theme.value = value
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
