import { effect, type Signal, signal } from '@preact/signals'

/** `auto` follows what the system asks for. */
export type Theme = 'auto' | 'light' | 'dark'

/** The theme of the page, `auto` at first. */
export const createThemeState = (page: Document): Signal<Theme> => {
  const theme = signal<Theme>('auto')
  effect(() => {
    page.documentElement.dataset.theme = theme.value
  })
  return theme
}
