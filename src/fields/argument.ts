/** The text of an argument that may stand in quotes: `"a b"` is the JSON string, everything else stands for itself. */
export const textOf = (argument: string): string => {
  if (!argument.startsWith('"')) return argument
  try {
    const text: unknown = JSON.parse(argument)
    return typeof text === 'string' ? text : argument
  } catch {
    return argument
  }
}
