/** The beginning of a text that would take a browser long to lay out, and how much more there is. */
export const clipped = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}… and ${(text.length - most).toLocaleString('en')} more characters`
