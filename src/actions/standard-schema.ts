/** A part of the path of an issue: a name or an index, or an object with it. */
type PathSegment = PropertyKey | { readonly key: PropertyKey }

/** An issue that a Standard Schema reports. */
export type StandardIssue = {
  readonly message: string
  readonly path?: readonly PathSegment[] | undefined
}

/** The result of a validation: a value, or issues. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/**
 * A validator of any library that implements Standard Schema (https://standardschema.dev), such as zod, valibot or
 * arktype.
 */
export type StandardSchema = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    /** Validates the parameters of a call. */
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
  }
}

/** Formats the path of an issue as the path of a parameter: `size.width` or `photos[2]`. */
export const formatIssuePath = ({ path = [] }: StandardIssue): string =>
  path.reduce<string>((text, segment) => {
    const key = typeof segment === 'object' ? segment.key : segment
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
