import type { DebugMessage } from '../core/debug-messages.ts'
import type { Page, UntypedNode } from '../schema/inference/result.ts'
import type { Simplify } from '../schema/inference/simplify.ts'
import type { Metadata } from '../schema/metadata.ts'

/**
 * The messages of a result. With `debug`, they are always present. With `partial`, they are present if there
 * are any.
 */
export type DebugOutput = { __debug__?: { messages: DebugMessage[] } }

/** Returns the entry of a page that has at most one entry, with the messages of the page. */
export const entryOf = ({
  data: [entry],
  __debug__,
}: Page<UntypedNode> & DebugOutput): UntypedNode | undefined =>
  entry === undefined || __debug__ === undefined ? entry : { ...entry, __debug__ }

/** Results by the requested ids. */
export type ById<TResult> = { [id: string]: TResult }

type IsNotRequested<TOption> = [TOption] extends [false | undefined] ? true : false

type MetadataOutput<TMetadata> = [TMetadata] extends [true] ? { metadata: Metadata } : { metadata?: Metadata }

/**
 * Whether the expression itself selects `metadata`. If so, the selection takes precedence over the option.
 */
type SelectsMetadata<TNode> = string extends keyof TNode
  ? false
  : 'metadata' extends keyof TNode
    ? true
    : false

/** A node, with metadata if the option `metadata` of the call may be true. */
export type WithMetadata<TNode, TMetadata> = true extends IsNotRequested<TMetadata> | SelectsMetadata<TNode>
  ? TNode
  : Simplify<TNode & MetadataOutput<TMetadata>>

/** A result, with messages if the options of the call may request them. */
export type WithDebug<TResult, TDebug, TPartial> =
  IsNotRequested<TDebug | TPartial> extends true ? TResult : Simplify<TResult & DebugOutput>

/** Results by id, with messages. The type is an intersection, because `__debug__` is not an id. */
export type ByIdWithDebug<TResult, TDebug, TPartial> =
  IsNotRequested<TDebug | TPartial> extends true ? ById<TResult> : ById<TResult> & DebugOutput
