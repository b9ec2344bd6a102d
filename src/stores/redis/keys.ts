import type { NodeId } from '../../base/ids.ts'

/** The number of digits of the largest id. */
const ID_WIDTH = 19

/** Formats an id as a member of a list, in which members of equal scores are ordered by their bytes. */
export const toMember = (id: NodeId): string => id.padStart(ID_WIDTH, '0')

/**
 * The suffix of the member of an edge with data. Ids have the same width, so it does not change the order.
 */
const DATA_SUFFIX = '+'

/** Formats the member of an edge with data, which shows that the data must be read. */
export const toMemberWithData = (id: NodeId): string => toMember(id) + DATA_SUFFIX

const ZERO_CHAR_CODE = 0x30

export const hasDataSuffix = (member: string): boolean => member.length > ID_WIDTH

export const parseMember = (member: string): NodeId => {
  let start = 0
  while (member.charCodeAt(start) === ZERO_CHAR_CODE) start++
  return member.slice(start, ID_WIDTH)
}

/**
 * The keys of a store. All keys of one id have it as their hash tag, so that they share a slot. The first
 * brace is followed by the id, its closing brace, one letter for the kind, and the name of an edge, which may
 * be any text. So keys are unique, also across prefixes, which contain no brace.
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

  /** A hash: time and data of the edges of a list that have data, by target. */
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

  /** A string: a token. Empty braces are no hash tag, so that tokens are distributed over the slots. */
  token(digest: string): string {
    return `${this.#prefix}{}${digest}`
  }

  #keyOf(id: NodeId, suffix: string): string {
    return `${this.#prefixWithBrace}${id}}${suffix}`
  }
}

/** An edge as its target records it. */
export type ReverseEntry = { readonly source: NodeId; readonly name: string }

/** Encodes a reverse entry. An id contains no space, so that the text is unique. */
export const encodeReverseEntry = ({ source, name }: ReverseEntry): string => `${source} ${name}`

export const decodeReverseEntry = (text: string): ReverseEntry => {
  const spaceIndex = text.indexOf(' ')
  return { source: text.slice(0, spaceIndex), name: text.slice(spaceIndex + 1) }
}
