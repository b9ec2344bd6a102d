/**
 * Converts an intersection to one object type. This type is conditional, because editors then show the
 * members instead of the name of the type.
 */
export type Simplify<TObject> = TObject extends infer TMembers
  ? { [K in keyof TMembers]: TMembers[K] }
  : never
