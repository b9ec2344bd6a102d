import { describe, expect, it } from 'vitest'
import { Epochs } from '../../../src/stores/memory/epochs.ts'
import { IdIndex } from '../../../src/stores/memory/id-index.ts'
import { createRecordTable } from '../../../src/stores/memory/record-table.ts'
import { TextIndex } from '../../../src/stores/memory/text-index.ts'

describe('a record table', () => {
  it('uses the number of a deleted record again', () => {
    const table = createRecordTable<string>(new Epochs(), new IdIndex())
    table.put('1', 'one')
    const number = table.find('1')
    table.delete('1')
    table.put('2', 'two')
    expect([table.find('1'), table.find('2'), table.at(number)]).toStrictEqual([0, number, 'two'])
  })

  it('keeps the number of a deleted record from others while a snapshot can see the record', () => {
    const epochs = new Epochs()
    const table = createRecordTable<string>(epochs, new IdIndex())
    table.put('1', 'one')
    const older = epochs.open()
    const fork = table.fork(epochs)
    table.delete('1')
    const younger = epochs.open()
    table.put('2', 'two')
    expect(fork.get('1')).toBe('one')
    expect(table.find('2')).not.toBe(fork.find('1'))
    const freed = fork.find('1')
    epochs.close(older)
    table.put('3', 'three')
    expect(table.find('3')).toBe(freed)
    epochs.close(younger)
  })

  it('gives a record that comes back its number back, and frees that once only', () => {
    const epochs = new Epochs()
    const table = createRecordTable<string>(epochs, new TextIndex())
    table.put('a', 'first')
    const epoch = epochs.open()
    const fork = table.fork(epochs)
    table.delete('a')
    table.put('a', 'second')
    table.delete('a')
    expect(fork.get('a')).toBe('first')
    epochs.close(epoch)
    for (const key of ['b', 'c', 'd']) table.put(key, key)
    expect([...'abcd'].map(key => table.get(key))).toStrictEqual([undefined, 'b', 'c', 'd'])
    expect([...table.numbers()]).toStrictEqual([1, 2, 3])
  })
})
