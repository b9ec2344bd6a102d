type Method = (...args: never[]) => unknown

/** Some methods of an object as functions that need no `this`, so that they can be taken out of what holds them. */
export const freeMethods = <TObject extends { readonly [N in TName]: Method }, TName extends string>(
  object: TObject,
  ...names: readonly TName[]
): { readonly [N in TName]: TObject[N] } => {
  const free = names.map(name => [name, object[name].bind(object)] as const)
  // `fromEntries` forgets which name has which function.
  return Object.freeze(Object.fromEntries(free)) as { readonly [N in TName]: TObject[N] }
}
