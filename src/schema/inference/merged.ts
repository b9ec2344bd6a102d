/** Writes an intersection out as one object. A conditional type, since those leave no name behind in what editors show. */
export type Merged<TObject> = TObject extends infer TMembers ? { [K in keyof TMembers]: TMembers[K] } : never
