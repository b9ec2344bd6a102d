import { describeValue } from '../base/describe.ts'
import type { JsonValue } from '../base/json.ts'

/** The reason why a value is not valid. A caller that knows the location of the value catches the issue. */
export class ValidationIssue {
  readonly expected: string
  readonly value: unknown
  /** The path inside the value: '' for the value itself, otherwise a path such as `[2]` or `.width`. */
  readonly path: string

  constructor(expected: string, value: unknown, path = '') {
    this.expected = expected
    this.value = value
    this.path = path
  }

  /** Returns this issue for the value that contains the current value at `segment`. */
  withPathPrefix(segment: string): ValidationIssue {
    return new ValidationIssue(this.expected, this.value, `${segment}${this.path}`)
  }

  get received(): string {
    return describeValue(this.value)
  }
}

/** The parts of a call that the serialization of a value may depend on. */
export type SerializeContext = {
  /** The time in milliseconds since the epoch, the same throughout a call. */
  readonly now: number
  /** The URL of the default picture, for nodes without a picture. */
  readonly defaultPicture: string | undefined
  /** The validated parameters of the field. A parameter that the expression does not set is undefined. */
  readonly parameters: { readonly [name: string]: JsonValue | undefined }
  /** Whether one bad part makes the whole value bad. Otherwise only that part is left out. */
  readonly isStrict: boolean
}

/**
 * The parts of the values of a type: a fixed set of words, the items of a list, the values of a map, the
 * value in a `data` envelope, the members of an object, the parts of any JSON, or unknown parts for a type of
 * `defineFieldType`.
 */
export type FieldTypeParts =
  | { readonly words: readonly string[] }
  | { readonly items: FieldType }
  | { readonly values: FieldType }
  | { readonly data: FieldType }
  | { readonly json: true }
  | { readonly unknown: true }
  | { readonly members: ReadonlyMap<string, MemberType> }

/** A member of an object type. */
export type MemberType = {
  readonly type: FieldType
  readonly required: boolean
  /** The cost of the member, or `undefined` to use the cost of the member's type. */
  readonly weight?: number | undefined
}

/**
 * A type of values. `parse` converts a written value to its stored form, and returns a stored value
 * unchanged; `serialize` converts the stored form to the form in a result.
 */
export interface FieldType<TOutput = unknown> {
  /** The name in metadata. */
  readonly name: string
  /** The notation of a parameter of this type in an expression: plain text or JSON. */
  readonly notation: 'text' | 'json'
  /** Converts a written value to its stored form. @throws a `ValidationIssue` for an invalid value. */
  parse(value: unknown): JsonValue
  /** The description of a valid stored value, if writes also accept other forms. */
  readonly storedAs?: string
  /** Whether a stored value is valid. Never throws, no matter what a store returns. */
  isValid(stored: unknown): boolean
  /**
   * Converts a stored value to its form in a result. Returns `undefined` for a value that is not valid or not
   * shown, and the field is then left out. `stored` is undefined if the record has no value.
   */
  serialize(stored: JsonValue | undefined, context: SerializeContext): TOutput | undefined
  /** Whether `serialize` returns each valid value unchanged. If so, a formatter does not need to call it. */
  readonly serializesAsIs: boolean
  /** The parts of the type's values, for descriptions and selections, or `undefined` for a scalar type. */
  readonly parts?: FieldTypeParts
}

/** Whether a stored value is not valid for its type. `null` means no value, as in a database column. */
export const isBadValue = (type: Pick<FieldType, 'isValid'>, stored: unknown): boolean =>
  stored !== undefined && stored !== null && !type.isValid(stored)

/** A field type that {@link defineFieldType} returned, with the type of its written values. */
export type CustomFieldType<TOutput, TInput> = FieldType<TOutput> & { readonly '~input'?: TInput }
