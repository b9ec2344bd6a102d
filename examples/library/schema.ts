import { defineSchema, edge, field, hasScope, isViewer, node } from 'kithgraph'
import type { Desk } from './desk.ts'
import { isbn } from './isbn.ts'

const author = node({
  description: 'A writer of books.',
  fields: { name: field.string({ default: true, required: true }) },
  edges: {
    books: edge('book', { order: 'chronological', description: 'Their books, the oldest first.' }),
  },
})

const createBook = (desk: Desk) =>
  node({
    description: 'A book. The library may have several copies of it.',
    fields: {
      title: field.string({ default: true, required: true }),
      isbn: field.of(isbn, { description: 'The ISBN of the edition in the library.' }),
      author: field.ref('author', { required: true }),
      printed: field.int({ description: 'The year of the first printing.' }),
      decade: field.string({
        description: 'The decade of the first printing.',
        resolve: books => books.map(({ fields }) => `${Math.floor(Number(fields.printed) / 10)}0s`),
      }),
      on_shelf: field.int({
        description: 'The number of copies on the shelf.',
        // The graph calls this function once for all books of a level, even if they are in several lists.
        resolve: books => desk.countOnShelf(books.map(({ id }) => id)),
      }),
      subjects: field.list(field.string(), { since: 'v2.0', description: 'Its subjects.' }),
    },
    edges: { copies: edge('copy') },
  })

const copy = node({
  description: 'One copy of a book, with a label.',
  fields: {
    label: field.string({ default: true, required: true }),
    book: field.ref('book', { default: true, required: true }),
  },
  edges: { borrowers: edge('reader', { inverse: 'loans' }) },
})

const reader = node({
  description: 'A person with a library card. Readers see only themselves; the staff see all readers.',
  policy: [isViewer(), hasScope('staff')],
  fields: { name: field.string({ default: true, required: true }) },
  edges: {
    loans: edge('copy', {
      inverse: 'borrowers',
      description: 'Their loans, the latest first.',
      fields: {
        lent: field.edgeTime({ description: 'The start of the loan.' }),
        due: field.datetime({ description: 'The end of the loan.' }),
        renewals: field.int({ description: 'The number of renewals.' }),
      },
    }),
  },
})

/** Creates the schema of the catalogue: authors, books, copies and readers. */
export const createLibrarySchema = (desk: Desk) =>
  defineSchema(
    { author, book: createBook(desk), copy, reader },
    { versions: ['v1.0', 'v2.0'], viewers: ['reader'] },
  )
