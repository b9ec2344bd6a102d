const MIN_SECRET_LENGTH = 16

/** The description of a valid secret. A shorter one could be found by trying. */
export const SECRET_EXPECTED = `a string of at least ${MIN_SECRET_LENGTH} characters`

export const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= MIN_SECRET_LENGTH

/** Describes a value that is not a valid secret, without any of its text. */
export const describeSecret = (value: unknown): string =>
  typeof value === 'string' ? `a string of ${value.length} characters` : `a value of type ${typeof value}`
