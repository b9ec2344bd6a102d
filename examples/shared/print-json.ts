const WIDTH = 100

/**
 * Formats JSON for reading: a value that fits is on one line. For a list with more than `items` entries,
 * prints the first entries and the number of the other entries.
 */
export const printJson = (value: unknown, items = Number.POSITIVE_INFINITY, indent = ''): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.slice(0, items).map(item => printJson(item, items, inner))
    : Object.entries(value).map(([name, member]) => `"${name}": ${printJson(member, items, inner)}`)
  if (Array.isArray(value) && value.length > items) parts.push(`… ${value.length - items} more`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  const line = `${open} ${parts.join(', ')} ${close}`
  if (indent.length + line.length <= WIDTH && !line.includes('\n')) return line
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}
