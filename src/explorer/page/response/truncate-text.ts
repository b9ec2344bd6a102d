/** Truncates a text that would take a browser long to lay out, and states the length of the rest. */
export const truncateText = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).toWellFormed()}… and ${(text.length - maxLength).toLocaleString('en')} more characters`
