import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonValue } from '../../base/json.ts'
import type { NodeRecord, TokenRecord } from '../../store/contract.ts'
import { restoreTokenRecord } from '../../store/token-record.ts'
import { parseNode } from './stored-json.ts'

/**
 * The generation of a node: `''` until its id is deleted for the first time. A node that is put again has a
 * new generation: the time in microseconds. So edges and pending purges of the deleted node never affect the
 * new one.
 */
export type Generation = string

/** The number of digits of the largest id. */
const ID_WIDTH = 19

const GENERATION_SEPARATOR = '~'

/**
 * Formats a node as a member of a list. Redis sorts members with the same score by their bytes, so ids are
 * padded.
 */
export const toMember = (id: NodeId, generation: Generation = ''): string => {
  const paddedId = id.padStart(ID_WIDTH, '0')
  return generation === '' ? paddedId : `${paddedId}${GENERATION_SEPARATOR}${generation}`
}

/** The suffix of the member of an edge with data. It shows that the data must be read. */
const DATA_SUFFIX = '+'

/** Returns the member of the same edge if the edge has data. */
export const toMemberWithData = (member: string): string => member + DATA_SUFFIX

const ZERO_CHAR_CODE = 0x30

export const hasDataSuffix = (member: string): boolean =>
  member.length > ID_WIDTH && member.endsWith(DATA_SUFFIX)

/** Returns the member without the suffix for data. It is the field of the edge in the hash of the data. */
export const withoutDataSuffix = (member: string): string =>
  hasDataSuffix(member) ? member.slice(0, -1) : member

export const parseMember = (member: string): NodeId => {
  let start = 0
  while (member.charCodeAt(start) === ZERO_CHAR_CODE) start++
  return member.slice(start, ID_WIDTH)
}

/** Returns the generation in a member, which may have the suffix for data. */
export const parseMemberGeneration = (member: string): Generation =>
  member[ID_WIDTH] === GENERATION_SEPARATOR ? withoutDataSuffix(member).slice(ID_WIDTH + 1) : ''

/** The text of the first generation in keys and sets of deleted generations. */
const FIRST_GENERATION = '0'

/** Formats a deleted generation as text that is not empty. */
export const toPurgeText = (generation: Generation): string =>
  generation === '' ? FIRST_GENERATION : generation

/** Parses a member of the pending purges of an id. */
export const parsePurge = (text: string): Generation => (text === FIRST_GENERATION ? '' : text)

/** An edge in the set of its target. `generation` is the generation of the source. */
export type ReverseEntry = { readonly source: NodeId; readonly generation: Generation; readonly name: string }

/** Encodes a reverse entry. An id and a generation contain no space, so the text is unique. */
export const encodeReverseEntry = ({ source, generation, name }: ReverseEntry): string =>
  generation === '' ? `${source} ${name}` : `${source}${GENERATION_SEPARATOR}${generation} ${name}`

export const decodeReverseEntry = (text: string): ReverseEntry => {
  const spaceIndex = text.indexOf(' ')
  const [source = '', generation = ''] = text.slice(0, spaceIndex).split(GENERATION_SEPARATOR)
  return { source, generation, name: text.slice(spaceIndex + 1) }
}

/**
 * Encodes the type of a node. The text of every node of the type begins with it, so a script can compare
 * types without parsing.
 */
export const encodeTypePrefix = (type: string): string => `[${JSON.stringify(type)},`

/**
 * Encodes a record without its end. The end is the generation, which only the server knows, and a bracket.
 */
export const encodeNodeStart = ({ type, fields }: Pick<NodeRecord, 'type' | 'fields'>): string =>
  `${encodeTypePrefix(type)}${JSON.stringify(fields)}`

export const encodeNode = (node: Pick<NodeRecord, 'type' | 'fields'>, generation: Generation = ''): string =>
  `${encodeNodeStart(node)}${generation === '' ? ']' : `,"${generation}"]`}`

/** The number of bytes at the end of a record that contain its generation. */
export const GENERATION_BYTES = 20

/**
 * Returns the index of the end of the fields in a record. Fields end with a brace, so a quote and a bracket
 * at the end belong to a generation.
 */
const findFieldsEnd = (text: string): number =>
  text.endsWith('"]') ? text.length - GENERATION_BYTES : text.length - 1

/** Returns the generation of a record, or of its last `GENERATION_BYTES`. */
export const parseGeneration = (text: string): Generation =>
  text.endsWith('"]') ? text.slice(2 - GENERATION_BYTES, -2) : ''

/** Decodes a record. Throws an error without its text if it is damaged. */
export const decodeNode = (id: NodeId, text: string): NodeRecord => {
  const node = parseNode(id, text)
  if (node === undefined) throw createDamagedRecordError()
  return node
}

/** The number of items per record in the joined list of `decodeNodes`: the type, the fields and the index. */
const CELLS_PER_RECORD = 3

const createDamagedRecordError = (): Error => new Error('expected the record of a node as [type, fields]')

/**
 * Decodes the records of nodes; undefined if there is no text. All records are parsed as one list, without
 * their brackets, which is a fifth faster. Each record is followed by its index, because a damaged record
 * would otherwise shift the others, and nodes would get the fields of other nodes.
 */
export const decodeNodes = (
  ids: readonly NodeId[],
  texts: readonly unknown[],
): readonly (NodeRecord | undefined)[] => {
  const encodedCells = texts.map(
    (text, index) =>
      `${typeof text === 'string' ? text.slice(1, findFieldsEnd(text)) : 'null,null'},${index}`,
  )
  const cells: readonly JsonValue[] = JSON.parse(`[${encodedCells.join()}]`)
  if (cells.length !== CELLS_PER_RECORD * ids.length) throw createDamagedRecordError()
  return ids.map((id, index) => {
    const offset = CELLS_PER_RECORD * index
    const type = cells[offset]
    const fields = cells[offset + 1]
    if (cells[offset + 2] !== index) throw createDamagedRecordError()
    if (typeof texts[index] !== 'string') return undefined
    if (typeof type !== 'string' || !isNonArrayObject(fields)) throw createDamagedRecordError()
    return { id, type, fields }
  })
}

export const encodeToken = (token: TokenRecord): string => JSON.stringify(token)

export const decodeToken = (text: string): TokenRecord => restoreTokenRecord(JSON.parse(text))
