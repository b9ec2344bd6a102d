import type { NodeId } from '../../base/ids.ts'

/** The ids of nodes as one app knows them. */
export interface IdsOfApp {
  /** 20 digits, the first of which is the number of the current key. */
  toPublic(id: NodeId): string
  /**
   * The inverse, of every key that there is. Undefined for what no id becomes under them; most forged ids do become
   * one, of no node.
   */
  toRaw(publicId: string): NodeId | undefined
}

/** Turns the ids of nodes into ids that mean something to one app alone, and back. */
export interface AppIds {
  /** Looked up once a query, so that each id costs one look into a map. */
  forApp(app: string): IdsOfApp
}

const PUBLIC_ID = /^[1-9][0-9]{19}$/

/** Whether a text has the form of a public id: raw ids have at most 19 digits. */
export const isPublicId = (text: string): boolean => PUBLIC_ID.test(text)
