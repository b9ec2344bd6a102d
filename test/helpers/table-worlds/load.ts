import { namedId } from 'kithgraph'
import type { JsonValue } from '../../../src/base/json.ts'
import type { EdgeEntry, NodeRecord } from '../../../src/store/contract.ts'
import { ListReference } from '../list-reference.ts'
import {
  accountId,
  compareEntries,
  filterRows,
  idOrNull,
  type LoadedEntry,
  photoId,
  type SortValue,
  toMs,
  withoutNulls,
} from './loaded-entries.ts'
import { STATES, type TableWorld } from './rows.ts'

/** Returns the place of a text in a collation. Texts that the collation finds equal have the same place. */
export type RankOf = (text: string) => number

/** The values of a list are times in microseconds, or have no time. */
type ListOptions = { readonly isTime: boolean; readonly total?: (length: number) => number | undefined }

/** The model of a store: its nodes and whole lists, built from rows with loops alone. */
class Loader {
  readonly reference = new ListReference()
  readonly #rankOf: RankOf
  readonly #world: TableWorld

  constructor(world: TableWorld, tenant: number, rankOf: RankOf) {
    this.#rankOf = rankOf
    this.#world = filterRows(world, tenant)
  }

  load(): ListReference {
    this.#loadNodes()
    this.#loadPhotos()
    this.#loadAccounts()
    this.#loadFollows()
    this.#loadMemberships()
    this.#loadRevisions()
    return this.reference
  }

  #addNode(type: string, id: string, fields: { readonly [name: string]: JsonValue }): void {
    const node: NodeRecord = { id, type, fields: withoutNulls(fields) }
    this.reference.nodes.set(id, node)
  }

  /** Adds a list of entries whose targets are nodes, if its source is one. */
  #addList(
    source: string,
    name: string,
    loaded: readonly LoadedEntry[],
    { isTime, total }: ListOptions,
  ): void {
    if (source !== 'root' && !this.reference.nodes.has(source)) return
    const entries = loaded.toSorted(compareEntries).flatMap(({ target, value, data }, index): EdgeEntry[] => {
      const node = this.reference.nodes.get(target)
      const time = isTime && value !== null ? toMs(value) : 0
      const key = value === null ? 'null' : `${index}`
      return node === undefined ? [] : [{ target, time, key, data, node }]
    })
    const whole = {
      source,
      name,
      entries,
      total: total === undefined ? entries.length : total(entries.length),
    }
    this.reference.lists.set(`${source} ${name}`, whole)
  }

  #loadNodes(): void {
    const { accounts, photos, comments, teams, revisions } = this.#world
    for (const { id, name, mood, price, isActive, boss, created } of accounts)
      this.#addNode('account', accountId(id), {
        ...{ name, mood, price, active: isActive },
        boss: idOrNull('account', boss),
        created_time: toMs(created),
      })
    for (const { id, title, state, rating, owner, taken, created } of photos)
      this.#addNode('photo', photoId(id), {
        ...{ title, state, rating },
        owner: accountId(owner),
        taken_time: taken === null ? null : toMs(taken),
        created_time: toMs(created),
      })
    for (const { id, body, author, photo, created } of comments)
      this.#addNode('comment', namedId('comment', id), {
        body,
        author: accountId(author),
        photo: photoId(photo),
        created_time: toMs(created),
      })
    for (const { slug, name } of teams) this.#addNode('team', namedId('team', slug), { name })
    for (const { photo, number, caption, editor, previous } of revisions)
      this.#addNode('revision', namedId('revision', photo, number), {
        caption,
        editor: idOrNull('account', editor),
        photo: photoId(photo),
        previous: previous === null ? null : namedId('revision', photo, previous),
      })
  }

  /** The lists of photos, for each value of the parameter and each order. */
  #loadPhotos(): void {
    const { accounts, photos, comments } = this.#world
    const toTarget = ({ id }: { readonly id: number }) => ({ target: photoId(id), key: [id] })
    const titled = (title: string | null): readonly SortValue[] =>
      title === null ? [null] : Buffer.byteLength(title) > 499 ? [] : [this.#rankOf(title)]
    for (const [index, state] of [undefined, ...STATES].entries())
      for (const { id } of accounts) {
        const own = photos.filter(
          photo => photo.owner === id && (state === undefined || photo.state === state),
        )
        const source = accountId(id)
        const name = `photos__${index}`
        const byTime = { isTime: true }
        const byValue = { isTime: false }
        this.#addList(
          source,
          name,
          own.map(one => ({ ...toTarget(one), value: one.created })),
          byTime,
        )
        this.#addList(
          source,
          `${name}#taken`,
          own.map(one => ({ ...toTarget(one), value: one.taken })),
          byTime,
        )
        const rated = own.filter(({ rating }) => rating !== null)
        this.#addList(
          source,
          `${name}#rated`,
          rated.map(one => ({ ...toTarget(one), value: one.rating })),
          byValue,
        )
        const withTitles = own.flatMap(one => titled(one.title).map(value => ({ ...toTarget(one), value })))
        this.#addList(source, `${name}#titled`, withTitles, byValue)
      }
    for (const { id } of photos) {
      const own = comments.filter(({ photo }) => photo === id)
      const entries = own.map(one => ({
        target: namedId('comment', one.id),
        key: [one.id],
        value: one.created,
      }))
      this.#addList(photoId(id), 'comments', entries, { isTime: true })
    }
    this.#addList(
      'root',
      'photos',
      photos.map(one => ({ ...toTarget(one), value: one.created })),
      { isTime: true },
    )
  }

  #loadAccounts(): void {
    const { accounts } = this.#world
    const byName = (rows: typeof accounts) =>
      rows
        .filter(({ name }) => Buffer.byteLength(name) <= 499)
        .map(({ id, name }) => ({ target: accountId(id), key: [id], value: this.#rankOf(name) }))
    for (const { id } of accounts)
      this.#addList(accountId(id), 'reports', byName(accounts.filter(({ boss }) => boss === id)), {
        isTime: false,
      })
    this.#addList('root', 'accounts', byName(accounts), { isTime: false })
  }

  #loadFollows(): void {
    const { accounts, follows } = this.#world
    for (const { id, followerCount } of accounts) {
      const entriesOf = (rows: typeof follows, other: 'follower' | 'followee') =>
        rows.map(row => ({
          target: accountId(row[other]),
          key: [row[other]],
          value: row.created,
          data: withoutNulls({ note: row.note, muted: row.isMuted, followed_time: toMs(row.created) }),
        }))
      const following = entriesOf(
        follows.filter(({ follower }) => follower === id),
        'followee',
      )
      const total = (length: number) => (length > 3 ? undefined : length)
      this.#addList(accountId(id), 'following', following, { isTime: true, total })
      const followers = entriesOf(
        follows.filter(({ followee }) => followee === id),
        'follower',
      ).map(({ data: _, ...entry }) => entry)
      this.#addList(accountId(id), 'followers', followers, { isTime: true, total: () => followerCount })
    }
  }

  #loadMemberships(): void {
    const { accounts, teams, memberships } = this.#world
    for (const { id } of accounts) {
      const own = memberships.filter(({ account }) => account === id)
      const joined = own.map(({ team, role, created }) => ({
        target: namedId('team', team),
        key: [this.#rankOf(team)],
        value: created,
        data: withoutNulls({ role }),
      }))
      this.#addList(accountId(id), 'teams', joined, { isTime: true })
    }
    for (const { slug } of teams) {
      const members = memberships
        .filter(({ team }) => team === slug)
        .map(({ account, role }) => ({
          target: accountId(account),
          key: [account],
          value: 0,
          data: withoutNulls({ role }),
        }))
      this.#addList(namedId('team', slug), 'members', members, { isTime: false })
    }
    const all = teams.map(({ slug }) => ({
      target: namedId('team', slug),
      key: [this.#rankOf(slug)],
      value: 0,
    }))
    this.#addList('root', 'teams', all, { isTime: false })
  }

  #loadRevisions(): void {
    const { photos, revisions } = this.#world
    const toEntry = ({ photo, number }: (typeof revisions)[number]) => ({
      target: namedId('revision', photo, number),
      key: [photo, number],
      value: 0,
    })
    for (const { id } of photos) {
      const own = revisions.filter(({ photo }) => photo === id)
      this.#addList(photoId(id), 'revisions', own.map(toEntry), { isTime: false })
    }
    for (const { photo, number } of revisions) {
      const next = revisions.filter(other => other.photo === photo && other.previous === number)
      const source = namedId('revision', photo, number)
      this.#addList(source, 'next', next.map(toEntry), { isTime: false })
    }
  }
}

/** Loads the rows that a tenant sees into the model of a store, with loops over the rows alone. */
export const loadWorld = (world: TableWorld, tenant: number, rankOf: RankOf): ListReference =>
  new Loader(world, tenant, rankOf).load()
