/** What is declared under a name; never what objects inherit. */
export const own = <TValue>(
  members: { readonly [name: string]: TValue },
  name: string,
): TValue | undefined => (Object.hasOwn(members, name) ? members[name] : undefined)
