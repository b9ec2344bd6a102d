import { effect, type Signal, signal } from '@preact/signals'

/** `auto` follows the setting of the system. */
export type Theme = 'auto' | 'light' | 'dark'

/** Creates the state of the theme, `auto` at first. */
export const createThemeState = (page: Document): Signal<Theme> => {
  const theme = signal<Theme>('auto')
  effect(() => {
    page.documentElement.dataset.theme = theme.value
  })
  return theme
}
