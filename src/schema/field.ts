import type { Awaitable } from '../base/awaitable.ts'
import { isPlainObject, type JsonValue } from '../base/json.ts'
import { assertKinds, type OptionKinds } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { FieldType } from './field-type.ts'
import { isPolicy, type Policy, policyOf } from './policy.ts'

/** What a computed field is computed from beside the records. */
export type ResolveContext = {
  readonly session: Session
  readonly parameters: { readonly [name: string]: JsonValue | undefined }
  readonly signal: AbortSignal | undefined
  /** Milliseconds since the epoch, the same throughout one answer. */
  readonly now: number
}

/**
 * Computes a field for all records of a level at once: `values[i]` belongs to `records[i]`, and undefined leaves the
 * field out. Values are of the form that a write would give. An `Error` in the place of a value leaves out the field of that
 * record and is reported, as is a value that is not valid; if the function itself throws, the call fails.
 */
export type Resolve<TInput> = (
  records: readonly NodeRecord[],
  context: ResolveContext,
) => Awaitable<readonly (TInput | Error | undefined)[]>

/** What every kind of field may say of itself. */
export type FieldOptions = {
  /** For metadata and for the people who read it. */
  readonly description?: string | undefined
  /** Whether the field is answered where no fields are asked for. */
  readonly default?: boolean | undefined
  /** The word that a token must have been granted; without it the field is left out, and a ref is refused. */
  readonly scope?: string | undefined
  /** Who may see the field of which node: to others it is left out. Without a policy, everyone who sees the node. */
  readonly policy?: Policy | undefined
  /** The first version with the field. */
  readonly since?: string | undefined
  /** The first version without it. */
  readonly removedIn?: string | undefined
  /** What to use instead; shown under `debug`. */
  readonly deprecated?: string | undefined
}

type StoredOptions<TInput> = FieldOptions & {
  /** Whether a write must give a value. */
  readonly required?: boolean | undefined
  /** The parameters of a computed field, each described by a field: `{ size: field.int() }`. */
  readonly parameters?: { readonly [name: string]: Field } | undefined
  /** Makes the field a computed one, which no write may set. */
  readonly resolve?: Resolve<TInput> | undefined
}

/** What a field with a value may say besides. */
export type ValueOptions<TInput> = StoredOptions<TInput> &
  (
    | {
        readonly resolve: Resolve<TInput>
        /** The cost of the value in each record, an integer of at least 1. Default 1, or 5 for a list or a map. */
        readonly weight?: number | undefined
      }
    | { readonly weight?: undefined }
  )

/** The options of a list or a map, computed or not. */
export type ListOptions<TInput> = StoredOptions<TInput> & {
  /** The cost of the value in each record, an integer of at least 1: more for long lists. Default 5. */
  readonly weight?: number | undefined
}

type Common = {
  readonly description: string
  readonly default: boolean
  readonly required: boolean
  readonly scope: string | undefined
  readonly policy: Policy | undefined
  readonly since: string | undefined
  readonly removedIn: string | undefined
  readonly deprecated: string | undefined
}

/** A field with a value of its own, stored or computed. */
export type ValueField = Common & {
  readonly kind: 'value'
  readonly type: FieldType
  readonly parameters: { readonly [name: string]: FieldType }
  /** The field whose stored value this one shows, where it is not its own. */
  readonly from: string | undefined
  readonly resolve: Resolve<unknown> | undefined
  /** The cost of the value in each record; undefined: that of its type. */
  readonly weight: number | undefined
}

/** A field that stores the id of a node of one of some types and answers that node. */
export type RefField = Common & { readonly kind: 'ref'; readonly targets: readonly string[] }

/** Whether the record has an edge of that name to the viewer. */
export type ViewerEdgeField = Common & { readonly kind: 'viewerEdge'; readonly edge: string }

/** The time of the edge that led to an entry. */
export type EdgeTimeField = Common & { readonly kind: 'edgeTime' }

/** What the types of answers and writes are inferred from; nothing of it exists at run time. */
export type FieldTypes = {
  /** What an answer carries. */
  output: unknown
  /** What a write gives; never, where none may. */
  input: unknown
  /** Whether a write must give it. */
  required: boolean
  /** Whether every answer that asks for it has it. */
  sure: boolean
  /** Whether it is answered where no fields are asked for. */
  default: boolean
  /** The types that a ref leads to; never for other fields. */
  targets: string
  /** The names of its parameters; never, where it takes none. */
  parameters: string
}

/** A declared field of one kind, with what is inferred from it. */
export type Typed<TField, TTypes extends FieldTypes> = TField & { readonly '~types'?: TTypes }

/** A declared field: frozen data, made by the functions of {@link field}. */
export type Field<TTypes extends FieldTypes = FieldTypes> = Typed<
  ValueField | RefField | ViewerEdgeField | EdgeTimeField,
  TTypes
>

/** The options of an edge's time: it is the list of edges that has a policy, not what stands in it. */
export const EDGE_TIME_OPTIONS = {
  description: 'text',
  default: 'boolean',
  scope: 'text',
  since: 'text',
  removedIn: 'text',
  deprecated: 'text',
} as const satisfies OptionKinds

/** The options of a field whose value comes from elsewhere, or that chooses its parameters itself. */
export const COMMON_OPTIONS = { ...EDGE_TIME_OPTIONS, policy: 'any' } as const satisfies OptionKinds

/** The options of a ref. */
export const REF_OPTIONS = { ...COMMON_OPTIONS, required: 'boolean' } as const satisfies OptionKinds

/** Fills in what a declaration leaves unsaid. */
export const commonOf = (
  place: string,
  options: (FieldOptions & { readonly required?: boolean | undefined }) | undefined,
  kinds: OptionKinds = COMMON_OPTIONS,
): Common => {
  assertKinds(place, options, kinds)
  return {
    description: options?.description ?? '',
    default: options?.default ?? false,
    required: options?.required ?? false,
    scope: options?.scope,
    policy: policyOf(place, options?.policy),
    since: options?.since,
    removedIn: options?.removedIn,
    deprecated: options?.deprecated,
  }
}

const KINDS: readonly unknown[] = ['value', 'ref', 'viewerEdge', 'edgeTime']

/** Whether a value was made by one of the functions of {@link field}. */
export const isField = (value: unknown): value is Field =>
  isPlainObject(value) && KINDS.includes(value.kind) && isPolicy(value.policy)
