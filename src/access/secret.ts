const SHORTEST = 16

/** What a secret must be: one that is shorter can be found by trying. */
export const SECRET_EXPECTED = `text of at least ${SHORTEST} characters`

export const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= SHORTEST

/** What was received in the place of a secret, without any of its text. */
export const describeSecret = (value: unknown): string =>
  typeof value === 'string' ? `text of ${value.length} characters` : `a value of type ${typeof value}`
