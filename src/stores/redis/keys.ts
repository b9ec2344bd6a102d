import type { NodeId } from '../../base/ids.ts'

/** The digits of the largest id. */
const WIDTH = 19

/** An id as a member of a list, whose members of one score are ordered by their bytes. */
export const toMember = (id: NodeId): string => id.padStart(WIDTH, '0')

/** What the member of an edge with data ends in; ids are of one width, so that it changes no order. */
const MARK = '+'

/** The member of an edge that has data: a page tells by it whose data to read. */
export const toMarkedMember = (id: NodeId): string => toMember(id) + MARK

const ZERO = 0x30

export const isMarked = (member: string): boolean => member.length > WIDTH

export const fromMember = (member: string): NodeId => {
  let start = 0
  while (member.charCodeAt(start) === ZERO) start++
  return member.slice(start, WIDTH)
}

/**
 * The keys of a store. All keys of one id have it as their hash tag, so that they share a slot. After the first brace
 * stand the id, its brace, one letter for the kind and then the name of an edge, whatever text it is: no two keys are
 * the same, nor are those of two prefixes, which have no brace.
 */
export class Keys {
  readonly #prefix: string
  readonly #open: string

  constructor(prefix: string) {
    this.#prefix = prefix
    this.#open = `${prefix}{`
  }

  /** A text: the record of a node. */
  node(id: NodeId): string {
    return this.#of(id, 'n')
  }

  /** A sorted set: the targets of the edges of one name, by time. It is there only while its node is. */
  list(id: NodeId, name: string): string {
    return this.#of(id, `e${name}`)
  }

  /** The list of a deleted node, until its edges are purged. */
  deadList(id: NodeId, name: string): string {
    return this.#of(id, `x${name}`)
  }

  /** A hash: time and data of those edges of a list that have some, by target. */
  data(id: NodeId, name: string): string {
    return this.#of(id, `d${name}`)
  }

  /** A set: the names of the lists of a node. */
  names(id: NodeId): string {
    return this.#of(id, 'l')
  }

  /** A set: the sources and names of the edges to a node. */
  reverse(id: NodeId): string {
    return this.#of(id, 'r')
  }

  /** A text: a token. Empty braces are no hash tag, so that tokens spread over the slots. */
  token(digest: string): string {
    return `${this.#prefix}{}${digest}`
  }

  #of(id: NodeId, rest: string): string {
    return `${this.#open}${id}}${rest}`
  }
}

/** An edge as its target remembers it. */
export type ReverseEntry = { readonly source: NodeId; readonly name: string }

/** An id has no space, so that no two edges to a node have one text. */
export const encodeReverse = ({ source, name }: ReverseEntry): string => `${source} ${name}`

export const decodeReverse = (text: string): ReverseEntry => {
  const space = text.indexOf(' ')
  return { source: text.slice(0, space), name: text.slice(space + 1) }
}
