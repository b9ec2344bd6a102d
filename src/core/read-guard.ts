import { describeValue } from '../base/describe.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { Rule } from '../schema/policy.ts'
import { type CheckedRecord, RECORD_FOR } from '../schema/record-for.ts'
import type { NodeRecord } from '../store/contract.ts'

/** Whether a key is a member that every object has, such as `hasOwnProperty` or `toJSON`, and no field. */
const isInherited = (fields: object, key: string): boolean =>
  (key in Object.prototype || key === 'toJSON') && !Object.hasOwn(fields, key)

/**
 * The check of the fields that the functions of a schema read in one call. A rule that throws denies, so the guard
 * also keeps its first error, with which the call fails.
 */
export class ReadGuard {
  #error: TypeError | undefined

  /** @throws TypeError if a function has read a field that it does not declare, even if the function caught it. */
  assertDeclaredReads(): void {
    if (this.#error !== undefined) throw this.#error
  }

  /** Returns a record as a rule receives it: the members of a composed rule receive records of their own. */
  recordFor(rule: Rule, record: NodeRecord): CheckedRecord {
    const checked = { ...this.check(record, rule.reads, rule.name) }
    return Object.defineProperty(checked, RECORD_FOR, {
      value: (member: Rule) => this.recordFor(member, record),
    })
  }

  /**
   * Returns a record whose fields throw on reads of other fields than `reads`. Without `reads`, returns the record
   * itself. The fields cannot be listed, unless the record has been created with only the fields in `reads`.
   */
  check(
    record: NodeRecord,
    reads: readonly string[] | undefined,
    location: string,
    hasOnlyReads = false,
  ): NodeRecord {
    if (reads === undefined) return record
    const fail = (read: string): never => {
      const received = reads.length === 0 ? 'an empty array' : `[${reads.map(describeValue).join(', ')}]`
      this.#error ??= usageErrorAbout(location, '"reads"', read, received)
      throw this.#error
    }
    const assertDeclared = (fields: object, key: string | symbol): void => {
      if (typeof key === 'symbol' || reads.includes(key) || isInherited(fields, key)) return
      fail(`an array with ${describeValue(key)}, which the function reads of ${record.type}`)
    }
    const fields = new Proxy(record.fields, {
      get(target, key) {
        assertDeclared(target, key)
        return Reflect.get(target, key)
      },
      has(target, key) {
        assertDeclared(target, key)
        return Reflect.has(target, key)
      },
      getOwnPropertyDescriptor(target, key) {
        assertDeclared(target, key)
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
      ownKeys: target =>
        hasOnlyReads
          ? Reflect.ownKeys(target)
          : fail(`left out, since the function reads all fields of ${record.type}`),
    })
    return { id: record.id, type: record.type, fields }
  }
}

/** Returns a record as a function of the schema receives it. Without a guard, it is the record itself. */
export const checkReads = (
  readGuard: ReadGuard | undefined,
  record: NodeRecord,
  reads: readonly string[] | undefined,
  location: string,
): NodeRecord => (readGuard === undefined ? record : readGuard.check(record, reads, location))
