const WHITE_SPACE = /\s/

/**
 * Removes the white space between the tokens of a field expression, but not inside the quotes of an argument,
 * where it is part of a value. Positions in errors refer to the result.
 */
export const stripWhiteSpace = (text: string): string => {
  if (!WHITE_SPACE.test(text)) return text
  let strippedText = ''
  let openParentheses = 0
  let isQuoted = false
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position)
    if (isQuoted && character === '\\') {
      strippedText += character + text.charAt(++position)
      continue
    }
    if (character === '"' && openParentheses > 0) isQuoted = !isQuoted
    if (!isQuoted && character === '(') openParentheses++
    if (!isQuoted && character === ')') openParentheses--
    if (isQuoted || !WHITE_SPACE.test(character)) strippedText += character
  }
  return strippedText
}
