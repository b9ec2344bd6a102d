import type { NodeId } from '../../base/ids.ts'
import type { RedisClient } from './redis-client.ts'
import { listOf } from './sender.ts'

/** Keys that a server looks at in one step. */
const COUNT = 1000

/** What follows the id in a key: a letter for the kind, and for lists the name. */
type KeyPart = { readonly id: NodeId; readonly rest: string }

/** Text in a pattern that stands for itself. */
const literally = (text: string): string => text.replaceAll(/[\\*?[\]]/g, '\\$&')

/** Pages of the keys of one kind, master by master. The pattern of a server is coarser than what tells keys apart. */
export async function* scanKeys(
  client: RedisClient,
  prefix: string,
  kind: string,
): AsyncGenerator<readonly KeyPart[]> {
  // A client puts its own prefix before keys, but neither before patterns nor off what a server answers.
  const start = `${client.options?.keyPrefix ?? ''}${prefix}`
  const pattern = `${literally(start)}{*}${kind}*`
  const partOf = (key: string): KeyPart | undefined => {
    const [, id, rest] = /^\{(\d+)\}(.*)$/s.exec(key.slice(start.length)) ?? []
    return id !== undefined && rest?.startsWith(kind) ? { id, rest: rest.slice(kind.length) } : undefined
  }
  for (const master of client.nodes?.('master') ?? [client]) {
    let cursor = '0'
    do {
      const reply = await master.call('scan', [cursor, 'match', pattern, 'count', `${COUNT}`])
      const [next, keys] = listOf(reply)
      yield listOf(keys).flatMap(key => partOf(String(key)) ?? [])
      cursor = String(next)
    } while (cursor !== '0')
  }
}
