import type { NodeId } from '../../base/ids.ts'

/** Turns the ids of nodes into ids that mean something to one app alone, and back. */
export interface AppIds {
  /** 20 digits. */
  toPublic(id: NodeId, app: string): string
  /** Undefined for what is no public id, and for what no id becomes. */
  toRaw(publicId: string, app: string): NodeId | undefined
}

const PUBLIC_ID = /^[1-9][0-9]{19}$/

/** Whether a text has the form of a public id: raw ids have at most 19 digits. */
export const isPublicId = (text: string): boolean => PUBLIC_ID.test(text)
