const SPACE = /\s/

/**
 * Drops the white space between the tokens of a field expression. Inside an argument's quotes it stays, since there it
 * is a part of a value. Positions in faults count in what this answers.
 */
export const stripWhiteSpace = (text: string): string => {
  if (!SPACE.test(text)) return text
  let stripped = ''
  let parentheses = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (quoted && character === '\\') {
      stripped += character + text.charAt(++at)
      continue
    }
    if (character === '"' && parentheses > 0) quoted = !quoted
    if (!quoted && character === '(') parentheses++
    if (!quoted && character === ')') parentheses--
    if (quoted || !SPACE.test(character)) stripped += character
  }
  return stripped
}
