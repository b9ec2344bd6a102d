import { describeUnknownName } from './suggest.ts'

/** Formats the part that all errors about a value contain: `"limit" must be an integer; received 1.5`. */
export const formatMismatch = (subject: string, expected: string, received: string): string =>
  `${subject} must be ${expected}; received ${received}`

/**
 * Formats an issue with its location: `photo.from: each target must be a type of the schema; received "usr"`.
 */
export const formatIssue = (location: string, subject: string, expected: string, received: string): string =>
  `${location}: ${formatMismatch(subject, expected, received)}`

/** Formats the accepted words: `one of "id", "edge"`. */
export const formatChoices = (words: readonly string[]): string =>
  `one of ${words.map(word => `"${word}"`).join(', ')}`

/**
 * Creates the error for an invalid argument, option or path: `getEdge: "edge" must be a string; received 5`.
 * `received` is a description of the value and must not contain a secret.
 */
export const usageError = (caller: string, name: string, expected: string, received: string): TypeError =>
  new TypeError(formatIssue(caller, `"${name}"`, expected, received))

/**
 * Creates a usage error whose subject is a phrase instead of a quoted name: `getMe: the graph must be open;
 * received a closed graph`.
 */
export const usageErrorAbout = (
  caller: string,
  subject: string,
  expected: string,
  received: string,
): TypeError => new TypeError(formatIssue(caller, subject, expected, received))

/**
 * Creates the error for an unknown option: `tokens.revokeAll: options must be one of "viewer"; received
 * "viewr"; did you mean viewer?`.
 */
export const unknownOptionError = (
  caller: string,
  optionsName: string,
  knownOptions: readonly string[],
  received: string,
): TypeError =>
  usageErrorAbout(
    caller,
    optionsName,
    formatChoices(knownOptions),
    describeUnknownName(received, knownOptions),
  )

/** Creates the error for a type that is none of the known ones: `newId: "type" must be one of "user"; received "usr"`. */
export const unknownTypeError = (caller: string, types: readonly string[], received: unknown): TypeError =>
  usageError(caller, 'type', formatChoices(types), describeUnknownName(received, types))

/** @throws TypeError with all errors, if there are any. */
export const assertNoErrors = (caller: string, subject: string, errors: readonly string[]): void => {
  if (errors.length === 0) return
  const countText = errors.length === 1 ? 'one error' : `${errors.length} errors`
  const listText = errors.map(error => `- ${error}`).join('\n')
  throw usageErrorAbout(caller, subject, 'valid', `${countText}:\n${listText}`)
}
