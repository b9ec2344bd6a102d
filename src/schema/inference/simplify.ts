/**
 * Converts an intersection to one object type. It is a conditional type, because editors show its members and
 * not its name.
 */
export type Simplify<TObject> = TObject extends infer TMembers
  ? { [K in keyof TMembers]: TMembers[K] }
  : never
