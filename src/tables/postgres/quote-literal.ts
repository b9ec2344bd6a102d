/**
 * Quotes a constant of a declaration. A backslash needs the form `E'…'`, because its meaning in `'…'` depends on a
 * setting of the server.
 */
export const quoteLiteral = (value: string | number | boolean): string => {
  if (typeof value !== 'string') return `${value}`
  const quoted = `'${value.replaceAll("'", "''")}'`
  return value.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}
