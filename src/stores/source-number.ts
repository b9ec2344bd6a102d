import type { NodeId } from '../base/ids.ts'
import { ROOT_ID } from '../store/derived-entries.ts'

/** The source of collections in a table whose sources are numbers. No node has the id 0. */
const ROOT_NUMBER = '0'

/** Returns the number of a source in a table: the id of the node, or the number of the source of collections. */
export const toSourceNumber = (source: NodeId): string => (source === ROOT_ID ? ROOT_NUMBER : source)

/** Returns the source of a number in a table. */
export const toSource = (number: string): NodeId => (number === ROOT_NUMBER ? ROOT_ID : number)
