import type { NodeId } from '../../base/ids.ts'

/** The ids of nodes as one app knows them. */
export interface IdsOfApp {
  /**
   * 20 digits, the first of which is the number of the current key.
   *
   * @throws TypeError for what is no raw id.
   */
  toPublic(id: NodeId): string
  /**
   * The inverse, under every key that there is. Undefined for what is no public id, or none of these keys. A forged id
   * mostly becomes a raw id all the same, one that no node has.
   */
  toRaw(publicId: string): NodeId | undefined
}

/** Turns the ids of nodes into ids that mean something to one app alone, and back. */
export interface AppIds {
  /**
   * Asked once a query, so that an id that was lately turned costs one look into a map.
   *
   * @throws TypeError for what is no name of an app.
   */
  forApp(app: string): IdsOfApp
}

const PUBLIC_DIGITS = 20
const PUBLIC_ID = /^[1-9][0-9]*$/

/** Whether a value has the form of a public id: raw ids have at most 19 digits. */
export const isPublicId = (value: unknown): boolean =>
  typeof value === 'string' && value.length === PUBLIC_DIGITS && PUBLIC_ID.test(value)
