import { describe } from '../base/describe.ts'
import type { JsonValue } from '../base/json.ts'

/** What a value in a write should have been. Caught where the place of the mutation is known. */
export class Mismatch {
  readonly expected: string
  readonly value: unknown
  /** Where inside the value: '' for the value itself, else `[2]` or `.width` and so on. */
  readonly path: string

  constructor(expected: string, value: unknown, path = '') {
    this.expected = expected
    this.value = value
    this.path = path
  }

  /** The same, seen from the value that holds this one at `place`. */
  inside(place: string): Mismatch {
    return new Mismatch(this.expected, this.value, `${place}${this.path}`)
  }

  get came(): string {
    return describe(this.value)
  }
}

/** What serializing a stored value may depend on beside the value. */
export type SerializeContext = {
  /** Milliseconds since the epoch: the same throughout one answer. */
  readonly now: number
  /** The URL of the schema's picture for those who have none. */
  readonly silhouette: string | undefined
  /** The field's parameters, checked; a parameter not given is undefined. */
  readonly parameters: { readonly [name: string]: JsonValue | undefined }
  /** Whether one bad part makes the whole value bad. Otherwise that part alone is left out. */
  readonly checked: boolean
}

/**
 * What values of a type are made of: a closed set of words, values of another type in a list or under any names, one value
 * in an envelope, named members, or what its author alone knows.
 */
export type FieldTypeParts =
  | { readonly words: readonly string[] }
  | { readonly items: FieldType }
  | { readonly values: FieldType }
  | { readonly data: FieldType }
  | { readonly unknown: true }
  | { readonly members: ReadonlyMap<string, MemberType> }

/** A member of an object type. */
export type MemberType = {
  readonly type: FieldType
  readonly required: boolean
  /** Its cost; undefined: that of its type. */
  readonly weight?: number | undefined
}

/**
 * All that the library knows of one type of value. `parse` takes what a write gives and answers what the store keeps
 * (and takes that again, unchanged); `serialize` makes of it what an answer carries.
 */
export interface FieldType<TOutput = unknown> {
  /** The name in metadata. */
  readonly name: string
  /** How a parameter of this type stands in a text: as it is, or as JSON. */
  readonly notation: 'text' | 'json'
  /** @throws a {@link Mismatch} that says what was expected. */
  parse(value: unknown): JsonValue
  /** What a stored value must be, in words, if writes accept other forms as well. */
  readonly storedAs?: string
  /** Whether a stored value can be one of this type. Never throws, whatever a store returns. */
  isValid(stored: unknown): boolean
  /**
   * Undefined leaves the field out: a valid value that shows nothing, and each value that is not valid. `stored` is
   * undefined where the record has no value.
   */
  serialize(stored: JsonValue | undefined, context: SerializeContext): TOutput | undefined
  /** Whether `serialize` returns each valid value itself, so that a projection may copy it without a call. */
  readonly plain: boolean
  /** For those who describe a type to others; undefined for one that is made of nothing smaller. */
  readonly parts?: FieldTypeParts
}

/** Whether a stored value is bad: not valid for its type. `null` is the absence of a value, as in a column of a table. */
export const isBadValue = (type: Pick<FieldType, 'isValid'>, stored: unknown): boolean =>
  stored !== undefined && stored !== null && !type.isValid(stored)

/** A field type of the schema's author, with what its values are written as: see {@link defineFieldType}. */
export type CustomFieldType<TOutput, TInput> = FieldType<TOutput> & { readonly '~input'?: TInput }
