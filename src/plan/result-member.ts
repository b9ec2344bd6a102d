/**
 * A member of a result: its name, and its beginning in JSON text as the first or a later member of its
 * object.
 */
export type ResultMember = {
  readonly key: string
  readonly firstPrefix: string
  readonly laterPrefix: string
}

/** Creates a member. Its name has only letters, digits and underscores, so that it needs no escaping. */
export const createResultMember = (key: string): ResultMember => ({
  key,
  firstPrefix: `{"${key}":`,
  laterPrefix: `,"${key}":`,
})
