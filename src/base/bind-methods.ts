type Method = (...args: never[]) => unknown

/**
 * Returns some methods of an object as functions that do not need `this`, so that they can be destructured.
 */
export const bindMethods = <TObject extends { readonly [N in TName]: Method }, TName extends string>(
  object: TObject,
  ...names: readonly TName[]
): { readonly [N in TName]: TObject[N] } => {
  const boundMethods = names.map(name => [name, object[name].bind(object)] as const)
  // The type of `fromEntries` does not record which function belongs to each name.
  return Object.freeze(Object.fromEntries(boundMethods)) as { readonly [N in TName]: TObject[N] }
}
