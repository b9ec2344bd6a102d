const BOOKS = [
  {
    id: '201',
    title: 'Emma',
    isbn: '978-0-14-143958-7',
    author: '101',
    printed: 1815,
    subjects: ['marriage'],
  },
  {
    id: '202',
    title: 'Persuasion',
    isbn: '978-0-14-143968-6',
    author: '101',
    printed: 1817,
    subjects: ['marriage', 'the navy'],
  },
  {
    id: '203',
    title: 'Frankenstein',
    isbn: '978-0-14-143947-1',
    author: '102',
    printed: 1818,
    subjects: ['science'],
  },
] as const

/** Yields authors, books, copies, readers and loans for `graph.load`. Nodes come before their edges. */
export function* libraryRecords() {
  yield { node: { id: '1', type: 'reader' as const, fields: { name: 'Grace' } } }
  yield { node: { id: '2', type: 'reader' as const, fields: { name: 'Hedy' } } }
  yield { node: { id: '101', type: 'author' as const, fields: { name: 'Jane Austen' } } }
  yield { node: { id: '102', type: 'author' as const, fields: { name: 'Mary Shelley' } } }
  for (const { id, ...fields } of BOOKS) {
    yield { node: { id, type: 'book' as const, fields } }
    yield {
      edge: { source: fields.author, name: 'books' as const, target: id, time: `${fields.printed}-01-01` },
    }
    for (const number of [1, 2]) {
      const copy = `${id}${number}`
      yield { node: { id: copy, type: 'copy' as const, fields: { label: `${id}/${number}`, book: id } } }
      yield { edge: { source: id, name: 'copies' as const, target: copy, time: '2020-01-01' } }
    }
  }
  yield {
    edge: {
      source: '1',
      name: 'loans' as const,
      target: '2011',
      time: '2026-03-01',
      data: { due: '2026-03-29', renewals: 1 },
    },
  }
  yield {
    edge: {
      source: '2',
      name: 'loans' as const,
      target: '2021',
      time: '2026-03-05',
      data: { due: '2026-04-02' },
    },
  }
}
