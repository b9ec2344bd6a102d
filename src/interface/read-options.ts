import type {
  CallOptions,
  DebugOptions,
  FieldsOption,
  IterateOptions,
  MetadataOptions,
  PageOptions,
} from '../execute/call-options.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'

// Interfaces, so that editors and compile errors show their names. The parameters are the literals of a call.

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
  /** The type of the node: a node of another type is not found. */
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

/** The edge of a call, and the type of the node that has it. */
interface EdgeOption<TType, TEdge> {
  /** The type of the source: a node of another type is not found. */
  readonly type?: TType
  /** The name of the edge. */
  readonly edge: TEdge
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
> extends EdgeOption<TType, TEdge>,
    FieldsOption<TFields>,
    PageOptions<TSummary>,
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
> extends EdgeOption<TType, TEdge>,
    FieldsOption<TFields>,
    PageOptions<TSummary>,
    DebugOptions<TDebug, TPartial>,
    CallOptions {
  /** The ids of the sources; `me` is the viewer. */
  readonly ids: readonly TId[]
}

/** The options of `hasEdge`. */
export interface HasEdgeOptions<TId = string, TType = string | undefined, TEdge = string>
  extends EdgeOption<TType, TEdge>,
    Pick<CallOptions, 'signal' | 'minRevision' | 'proof'> {
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
> extends EdgeOption<TType, TEdge>,
    FieldsOption<TFields>,
    IterateOptions,
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
  /** The name of an edge: then the expression is explained for the entries of that edge. */
  readonly edge?: TEdge
}
