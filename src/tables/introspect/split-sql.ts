const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][\w$]*|./gs

/** Splits SQL at a keyword outside of parentheses, texts and names. */
export const splitSql = (sql: string, keyword: string): readonly string[] => {
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth === 0 && token.toLowerCase() === keyword) {
      parts.push(part.trim())
      part = ''
    } else part += token
  }
  return [...parts, part.trim()]
}
