/** A version of the interface: `v` and two numbers. */
export type Version = `v${number}.${number}`

const PATTERN = /^v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/

/** Whether a value is a version such as `v2.12`. */
export const isVersion = (value: unknown): value is Version =>
  typeof value === 'string' && PATTERN.test(value)

/** Compares as numbers, so that v2.12 comes after v2.3. Both must be versions. */
export const compareVersions = (a: string, b: string): number => {
  const [, majorA, minorA] = PATTERN.exec(a) ?? []
  const [, majorB, minorB] = PATTERN.exec(b) ?? []
  return Number(majorA) - Number(majorB) || Number(minorA) - Number(minorB)
}

/** Whether something declared with `since` and `removedIn` is there in a version. */
export const isInVersion = (
  member: { readonly since: string | undefined; readonly removedIn: string | undefined },
  version: string,
): boolean =>
  (member.since === undefined || compareVersions(version, member.since) >= 0) &&
  (member.removedIn === undefined || compareVersions(version, member.removedIn) < 0)

/** The newest declared version that is not newer than the one asked; the oldest where all are newer. */
export const resolveVersion = (declared: readonly string[], asked: string): string => {
  const ascending = declared.toSorted(compareVersions)
  return ascending.findLast(version => compareVersions(version, asked) <= 0) ?? ascending[0] ?? asked
}
