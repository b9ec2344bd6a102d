const WIDTH = 100

/**
 * Prints JSON for reading: what fits goes on one line. Of a list longer than `items` the first ones are printed, and how
 * many more there are.
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
