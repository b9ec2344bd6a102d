import { describe, expect, it } from 'vitest'
import { IdIndex } from '../../../src/stores/memory/id-index.ts'
import { Epochs } from '../../../src/stores/memory/paged-tables.ts'
import { createRecordTable, TextIndex } from '../../../src/stores/memory/record-table.ts'

describe('RecordTable', () => {
  it('reuses the number of a deleted record', () => {
    const table = createRecordTable<string>(new Epochs(), new IdIndex())
    table.put('1', 'one')
    const number = table.findNumber('1')
    table.delete('1')
    table.put('2', 'two')
    expect([table.findNumber('1'), table.findNumber('2'), table.getByNumber(number)]).toStrictEqual([
      0,
      number,
      'two',
    ])
  })

  it('does not reuse the number of a deleted record while a snapshot can see the record', () => {
    const epochs = new Epochs()
    const table = createRecordTable<string>(epochs, new IdIndex())
    table.put('1', 'one')
    const older = epochs.openSnapshot()
    const fork = table.fork(epochs)
    table.delete('1')
    const younger = epochs.openSnapshot()
    table.put('2', 'two')
    expect(fork.get('1')).toBe('one')
    expect(table.findNumber('2')).not.toBe(fork.findNumber('1'))
    const freed = fork.findNumber('1')
    epochs.closeSnapshot(older)
    table.put('3', 'three')
    expect(table.findNumber('3')).toBe(freed)
    epochs.closeSnapshot(younger)
  })

  it('gives a record that is put again its old number, and frees that number only once', () => {
    const epochs = new Epochs()
    const table = createRecordTable<string>(epochs, new TextIndex())
    table.put('a', 'first')
    const epoch = epochs.openSnapshot()
    const fork = table.fork(epochs)
    table.delete('a')
    table.put('a', 'second')
    table.delete('a')
    expect(fork.get('a')).toBe('first')
    epochs.closeSnapshot(epoch)
    for (const key of ['b', 'c', 'd']) table.put(key, key)
    expect([...'abcd'].map(key => table.get(key))).toStrictEqual([undefined, 'b', 'c', 'd'])
    expect([...table.numbers()]).toStrictEqual([1, 2, 3])
  })
})
