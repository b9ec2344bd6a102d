import type { Message } from '../execute/message.ts'
import type { Merged } from '../schema/inference/merged.ts'
import type { Metadata } from '../schema/metadata.ts'

/** Where an answer says something of itself: there with `debug`, and with `partial` where it has something to say. */
export type Remarked = { __debug__?: { messages: Message[] } }

/** Answers by the ids as they were asked. */
export type ById<TAnswer> = { [id: string]: TAnswer }

type IsPlain<TOption> = [TOption] extends [false | undefined] ? true : false

type Described<TMetadata> = [TMetadata] extends [true] ? { metadata: Metadata } : { metadata?: Metadata }

/** Whether an expression selects of the metadata itself: then that is what is answered. */
type IsSelected<TNode> = string extends keyof TNode ? false : 'metadata' extends keyof TNode ? true : false

/** A node, with metadata where the call's literal may ask for it. */
export type WithMetadata<TNode, TMetadata> = true extends IsPlain<TMetadata> | IsSelected<TNode>
  ? TNode
  : Merged<TNode & Described<TMetadata>>

/** An answer, with remarks where the call's literals may ask for them. */
export type WithRemarks<TAnswer, TDebug, TPartial> =
  IsPlain<TDebug | TPartial> extends true ? TAnswer : Merged<TAnswer & Remarked>

/** Answers by id, with remarks beside them. An intersection, since remarks are no answer of an id. */
export type ByIdWithRemarks<TAnswer, TDebug, TPartial> =
  IsPlain<TDebug | TPartial> extends true ? ById<TAnswer> : ById<TAnswer> & Remarked
