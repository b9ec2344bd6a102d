import type { CallOptions, FieldsOption } from './read-options.ts'

/** The options of `callAction`. */
export interface CallActionOptions<
  TType = string | undefined,
  TId = string,
  TAction = string,
  TParameters = { readonly [name: string]: unknown } | undefined,
  TFields = FieldsOption['fields'],
> extends FieldsOption<TFields>,
    CallOptions {
  /** The type of the source. It may be left out for `root`, and for `me` if one viewer type has the action. */
  readonly type?: TType
  /** The id of the source: the node that the action runs on, or `me` for the viewer. */
  readonly id: TId
  /** The name of the action: `update`, `delete`, `edge.add`, `edge.remove` or a name of its own. */
  readonly action: TAction
  /** The values of the parameters by name. */
  readonly parameters?: TParameters
  /**
   * A key of 1 to 255 printable ASCII characters. A call that is repeated with its key within 24 hours writes the
   * same nodes and edges, once.
   */
  readonly idempotencyKey?: string | undefined
}
