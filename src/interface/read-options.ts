import type { FieldsInput } from '../schema/inference/expression.ts'
import type { UntypedParameters } from '../schema/inference/parameters.ts'
import type { DateInput } from '../schema/inference/written-values.ts'
import type { TimeOrder } from '../schema/list-order.ts'

/** The text of a token. */
export type Token = string

/** The options of every read. */
export type CallOptions = {
  /** A version of the schema, such as `v1.0`. Default: the version of the graph. */
  readonly version?: string | undefined
  /** Aborts the call. No store read starts after the abort. */
  readonly signal?: AbortSignal | undefined
  /** The `revision` that a write returned. The call sees that write, even if it reads from a replica. */
  readonly minRevision?: string | undefined
  /**
   * The proof of possession: the HMAC-SHA256 of the token, with the app's secret as the key, in hexadecimal.
   */
  readonly proof?: string | undefined
}

/**
 * The fields to read from a node, or from the entries of an edge. `TFields` is the literal, or a string
 * literal that explains the error in the expression.
 */
export type FieldsOption<TFields = FieldsInput> = {
  /**
   * An expression such as `id,name,photos.limit(2){picture}`, or an array of such expressions. Default: the
   * default fields.
   */
  readonly fields?: TFields
}

/** The options that add messages to a result. */
export type DebugOptions<TDebug = 'all' | undefined, TPartial = boolean | undefined> = {
  /** Adds `__debug__` with messages, such as those about omitted and deprecated fields. */
  readonly debug?: TDebug
  /**
   * Reports unknown fields, and errors for some of several ids, as messages in `__debug__` instead of failing
   * the call.
   */
  readonly partial?: TPartial
}

/** The option that adds a description of a node's type. */
export type MetadataOptions<TMetadata = boolean | undefined> = {
  /** Adds `metadata`: the type of the node, its fields, and the URLs of its edges. */
  readonly metadata?: TMetadata
}

/**
 * The number of entries of a page: any number. The optional property exists in no value. It only preserves
 * the name of this type, so that the compile error for a wrong `limit` contains the name.
 */
export type PageLimit = number & { readonly '~limit'?: never }

/** The options of an iteration over the entries of an edge. */
export type IterateOptions<TOrder = string> = {
  /**
   * The size of a page, at least 1. A number above `limits.page` is lowered to `limits.page`. Default 25.
   * With `summary`, 0 reads only the count.
   */
  readonly limit?: PageLimit | undefined
  /** The cursor after which the page begins. */
  readonly after?: string | undefined
  /** The earliest time, inclusive: unix seconds, ISO 8601 or a `Date`. */
  readonly since?: DateInput | undefined
  /**
   * The latest time, inclusive: unix seconds, ISO 8601 or a `Date`. A time in whole seconds includes all
   * milliseconds of that second.
   */
  readonly until?: DateInput | undefined
  /** The name of an order: one that every edge has, or one that the edge declares. Default: the edge's order. */
  readonly order?: TimeOrder | TOrder | undefined
}

/** The options that select a page of an edge. */
export type PageOptions<TSummary = boolean | undefined, TOrder = string> = IterateOptions<TOrder> & {
  /** The cursor before which the page ends. It cannot be used together with `after`. */
  readonly before?: string | undefined
  /** Adds `summary`: the order, and the number of entries of the whole list that the viewer may see. */
  readonly summary?: TSummary
}

// These are interfaces, so that editors and compile errors show their names. The type parameters are the
// literals of a call.

/** The options of `getMe`. */
export interface GetMeOptions<
  TFields = FieldsInput,
  TMetadata = boolean | undefined,
  TDebug = 'all' | undefined,
  TPartial = boolean | undefined,
> extends FieldsOption<TFields>,
    MetadataOptions<TMetadata>,
    DebugOptions<TDebug, TPartial>,
    CallOptions {}

/** The options of `getNode`. */
export interface GetNodeOptions<
  TId = string,
  TType = string | undefined,
  TFields = FieldsInput,
  TMetadata = boolean | undefined,
  TDebug = 'all' | undefined,
  TPartial = boolean | undefined,
> extends GetMeOptions<TFields, TMetadata, TDebug, TPartial> {
  /** The id of the node, or `me` for the viewer. */
  readonly id: TId
  /** The type of the node. A node of another type is not found. */
  readonly type?: TType
}

/** The options of `getNodes`. */
export interface GetNodesOptions<
  TId = string,
  TFields = FieldsInput,
  TMetadata = boolean | undefined,
  TDebug = 'all' | undefined,
  TPartial = boolean | undefined,
> extends GetMeOptions<TFields, TMetadata, TDebug, TPartial> {
  /** The ids of the nodes; `me` is the viewer. */
  readonly ids: readonly TId[]
}

/** The edge of a call with its parameters, and the type of the node that has it. */
interface EdgeOption<TType, TEdge, TParameters> {
  /** The type of the source. A node of another type is not found. */
  readonly type?: TType
  /** The name of the edge. */
  readonly edge: TEdge
  /** The values of the edge's parameters by name. Default: the default of each parameter. */
  readonly parameters?: TParameters
}

/** The options of `getEdge`. */
export interface GetEdgeOptions<
  TId = string,
  TType = string | undefined,
  TEdge = string,
  TFields = FieldsInput,
  TSummary = boolean | undefined,
  TDebug = 'all' | undefined,
  TPartial = boolean | undefined,
  TParameters = UntypedParameters | undefined,
  TOrder = string,
> extends EdgeOption<TType, TEdge, TParameters>,
    FieldsOption<TFields>,
    PageOptions<TSummary, TOrder>,
    DebugOptions<TDebug, TPartial>,
    CallOptions {
  /** The id of the source, or `me` for the viewer. */
  readonly id: TId
}

/** The options of `getEdges`. */
export interface GetEdgesOptions<
  TId = string,
  TType = string | undefined,
  TEdge = string,
  TFields = FieldsInput,
  TSummary = boolean | undefined,
  TDebug = 'all' | undefined,
  TPartial = boolean | undefined,
  TParameters = UntypedParameters | undefined,
  TOrder = string,
> extends EdgeOption<TType, TEdge, TParameters>,
    FieldsOption<TFields>,
    PageOptions<TSummary, TOrder>,
    DebugOptions<TDebug, TPartial>,
    CallOptions {
  /** The ids of the sources; `me` is the viewer. */
  readonly ids: readonly TId[]
}

/** The options of `hasEdge`. */
export interface HasEdgeOptions<
  TId = string,
  TType = string | undefined,
  TEdge = string,
  TParameters = UntypedParameters | undefined,
> extends EdgeOption<TType, TEdge, TParameters>,
    Pick<CallOptions, 'signal' | 'minRevision' | 'proof'> {
  /** The id of the source, or `me` for the viewer. */
  readonly id: TId
  /** The id of the target, or `me` for the viewer. */
  readonly target: string
}

/** The options of `getEdgeEntry`. */
export interface GetEdgeEntryOptions<
  TId = string,
  TType = string | undefined,
  TEdge = string,
  TFields = FieldsInput,
  TDebug = 'all' | undefined,
  TPartial = boolean | undefined,
  TParameters = UntypedParameters | undefined,
> extends EdgeOption<TType, TEdge, TParameters>,
    FieldsOption<TFields>,
    DebugOptions<TDebug, TPartial>,
    CallOptions {
  /** The id of the source, or `me` for the viewer. */
  readonly id: TId
  /** The id of the target, or `me` for the viewer. */
  readonly target: string
}

/** The options of `iterateEdge`. */
export interface IterateEdgeOptions<
  TId = string,
  TType = string | undefined,
  TEdge = string,
  TFields = FieldsInput,
  TParameters = UntypedParameters | undefined,
  TOrder = string,
> extends EdgeOption<TType, TEdge, TParameters>,
    FieldsOption<TFields>,
    IterateOptions<TOrder>,
    Pick<DebugOptions, 'partial'>,
    CallOptions {
  /** The id of the source, or `me` for the viewer. */
  readonly id: TId
}

/** The options of `explain`. */
export interface ExplainOptions<TType = string, TEdge = string | undefined, TFields = FieldsInput>
  extends FieldsOption<TFields>,
    Pick<CallOptions, 'version'> {
  /** The type of the nodes; with `edge`, the type of the sources. */
  readonly type: TType
  /** The name of an edge. With `edge`, the expression is explained for the entries of that edge. */
  readonly edge?: TEdge
}

/**
 * The options of a read for a handler: the options of the graph's read, but with page options of any type, and
 * with the texts of a request as parameters.
 */
export type HandlerReadOptions<TOptions> = Omit<TOptions, keyof PageOptions | 'parameters'> & {
  readonly [name in Extract<keyof TOptions, keyof PageOptions>]?: unknown
} & {
  readonly [name in Extract<keyof TOptions, 'parameters'>]?: { readonly [name: string]: string } | undefined
} & {
  /** With `ignore`, unknown names in `fields` are ignored. Default `error`. */
  readonly unknownFields?: 'error' | 'ignore' | undefined
}
