/**
 * Returns the text of an argument, which may be in quotes: `"a b"` is parsed as a JSON string, other text is
 * returned as it is.
 */
export const unquoteArgument = (argument: string): string => {
  if (!argument.startsWith('"')) return argument
  try {
    const text: unknown = JSON.parse(argument)
    return typeof text === 'string' ? text : argument
  } catch {
    return argument
  }
}
