/**
 * Converts an intersection to one object. It is a conditional type, because editors do not show the names of
 * these.
 */
export type Simplify<TObject> = TObject extends infer TMembers
  ? { [K in keyof TMembers]: TMembers[K] }
  : never
