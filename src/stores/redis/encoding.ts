import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { restoreTokenRecord } from '../../store/token-record.ts'

/** The number of digits of the largest id. */
const ID_WIDTH = 19

/**
 * Formats an id as a member of a list. Redis sorts members with the same score by their bytes, so ids are
 * padded.
 */
export const toMember = (id: NodeId): string => id.padStart(ID_WIDTH, '0')

/**
 * The suffix of the member of an edge with data. All padded ids have the same length, so the suffix does not
 * change the order.
 */
const DATA_SUFFIX = '+'

/** Formats the member of an edge with data. The suffix shows that the data must be read. */
export const toMemberWithData = (id: NodeId): string => toMember(id) + DATA_SUFFIX

const ZERO_CHAR_CODE = 0x30

export const hasDataSuffix = (member: string): boolean => member.length > ID_WIDTH

export const parseMember = (member: string): NodeId => {
  let start = 0
  while (member.charCodeAt(start) === ZERO_CHAR_CODE) start++
  return member.slice(start, ID_WIDTH)
}

/**
 * The keys of a store. A key consists of the prefix, the id in braces, one letter for the kind, and for some
 * kinds the name of an edge. The id is the hash tag, so all keys of an id share a slot. A prefix contains no
 * opening brace, so keys are unique, also across prefixes.
 */
export class RedisKeys {
  readonly #prefix: string
  readonly #prefixWithBrace: string

  constructor(prefix: string) {
    this.#prefix = prefix
    this.#prefixWithBrace = `${prefix}{`
  }

  /** A string: the record of a node. */
  node(id: NodeId): string {
    return this.#keyOf(id, 'n')
  }

  /** A sorted set: the targets of the edges of one name, by time. It exists only while its node exists. */
  list(id: NodeId, name: string): string {
    return this.#keyOf(id, `e${name}`)
  }

  /** The list of a deleted node, until its edges are purged. */
  deletedList(id: NodeId, name: string): string {
    return this.#keyOf(id, `x${name}`)
  }

  /** A hash: time and data of each edge of a list that has data, by target. */
  edgeData(id: NodeId, name: string): string {
    return this.#keyOf(id, `d${name}`)
  }

  /** A set: the names of the lists of a node. */
  listNames(id: NodeId): string {
    return this.#keyOf(id, 'l')
  }

  /** A set: the sources and names of the edges to a node. */
  reverseEntries(id: NodeId): string {
    return this.#keyOf(id, 'r')
  }

  /** A string: a token. Empty braces are not a hash tag, so tokens are distributed over the slots. */
  token(digest: string): string {
    return `${this.#prefix}{}${digest}`
  }

  #keyOf(id: NodeId, suffix: string): string {
    return `${this.#prefixWithBrace}${id}}${suffix}`
  }
}

/** An edge in the set of its target. */
export type ReverseEntry = { readonly source: NodeId; readonly name: string }

/** Encodes a reverse entry. An id contains no space, so the text is unique. */
export const encodeReverseEntry = ({ source, name }: ReverseEntry): string => `${source} ${name}`

export const decodeReverseEntry = (text: string): ReverseEntry => {
  const spaceIndex = text.indexOf(' ')
  return { source: text.slice(0, spaceIndex), name: text.slice(spaceIndex + 1) }
}

/**
 * Encodes the type of a node. The text of every node of the type begins with it, so a script can compare
 * types without parsing.
 */
export const encodeTypePrefix = (type: string): string => `[${JSON.stringify(type)},`

export const encodeNode = ({ type, fields }: Pick<NodeRecord, 'type' | 'fields'>): string =>
  `${encodeTypePrefix(type)}${JSON.stringify(fields)}]`

export const decodeNode = (id: NodeId, text: string): NodeRecord => {
  const [type, fields]: readonly [string, JsonObject] = JSON.parse(text)
  return { id, type, fields }
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
    (text, index) => `${typeof text === 'string' ? text.slice(1, -1) : 'null,null'},${index}`,
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

/**
 * Encodes the data of an edge with its time. If the edge and its data are read separately, the time shows
 * whether they belong together.
 */
export const encodeData = (time: EdgeRecord['time'], data: JsonObject): string => JSON.stringify([time, data])

export const decodeData = (text: string): readonly [time: number, data: JsonObject] => JSON.parse(text)

export const encodeToken = (token: TokenRecord): string => JSON.stringify(token)

export const decodeToken = (text: string): TokenRecord => restoreTokenRecord(JSON.parse(text))
