import type { NodeId } from '../../base/ids.ts'
import { parseListReply } from './command-sender.ts'
import type { RedisClient } from './redis-client.ts'

/** The number of keys that a server examines in one step. */
const SCAN_COUNT = 1000

/**
 * The parts of a key: its id, and the text after the letter for its kind. For a list, that text is the name
 * of its edges.
 */
type ParsedKey = { readonly id: NodeId; readonly suffix: string }

/** Escapes text in a pattern. */
const escapePattern = (text: string): string => text.replaceAll(/[\\*?[\]]/g, '\\$&')

/**
 * Generates pages of the keys of one kind, master by master, filtered exactly, since the server's pattern is
 * coarser.
 */
export async function* scanKeys(
  client: RedisClient,
  prefix: string,
  kind: string,
): AsyncGenerator<readonly ParsedKey[]> {
  // A client adds its own prefix to keys, but not to patterns, and does not remove it from replies.
  const fullPrefix = `${client.options?.keyPrefix ?? ''}${prefix}`
  const pattern = `${escapePattern(fullPrefix)}{*}${kind}*`
  const parseKey = (key: string): ParsedKey | undefined => {
    const [, id, kindAndSuffix] = /^\{(\d+)\}(.*)$/s.exec(key.slice(fullPrefix.length)) ?? []
    return id !== undefined && kindAndSuffix?.startsWith(kind)
      ? { id, suffix: kindAndSuffix.slice(kind.length) }
      : undefined
  }
  for (const master of client.nodes?.('master') ?? [client]) {
    let cursor = '0'
    do {
      const reply = await master.call('scan', [cursor, 'match', pattern, 'count', `${SCAN_COUNT}`])
      const [next, keys] = parseListReply(reply)
      yield parseListReply(keys).flatMap(key => parseKey(String(key)) ?? [])
      cursor = String(next)
    } while (cursor !== '0')
  }
}
