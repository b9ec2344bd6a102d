/** A version of a schema: `v` and two numbers. */
export type Version = `v${number}.${number}`

const VERSION_PATTERN = /^v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/

/** Whether a value is a version such as `v2.12`. */
export const isVersion = (value: unknown): value is Version =>
  typeof value === 'string' && VERSION_PATTERN.test(value)

/** Compares two versions by their numbers: v2.12 is newer than v2.3. */
export const compareVersions = (a: string, b: string): number => {
  const [, majorA, minorA] = VERSION_PATTERN.exec(a) ?? []
  const [, majorB, minorB] = VERSION_PATTERN.exec(b) ?? []
  return Number(majorA) - Number(majorB) || Number(minorA) - Number(minorB)
}

/** Whether a field with `since` and `removedIn` exists in a version. */
export const isInVersion = (
  member: { readonly since: string | undefined; readonly removedIn: string | undefined },
  version: string,
): boolean =>
  (member.since === undefined || compareVersions(version, member.since) >= 0) &&
  (member.removedIn === undefined || compareVersions(version, member.removedIn) < 0)

/**
 * Returns the newest declared version that is not newer than the requested version, or the oldest version if
 * all are newer.
 */
export const resolveVersion = (declaredVersions: readonly string[], requestedVersion: string): string => {
  const ascending = declaredVersions.toSorted(compareVersions)
  return (
    ascending.findLast(version => compareVersions(version, requestedVersion) <= 0) ??
    ascending[0] ??
    requestedVersion
  )
}
