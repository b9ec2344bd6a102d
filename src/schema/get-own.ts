/** Returns an own property; undefined for an inherited one. */
export const getOwn = <TValue>(
  members: { readonly [name: string]: TValue },
  name: string,
): TValue | undefined => (Object.hasOwn(members, name) ? members[name] : undefined)
