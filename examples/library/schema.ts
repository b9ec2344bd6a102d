import { defineSchema, edge, field, hasScope, isViewer, node } from 'kithgraph'
import type { Desk } from './desk.ts'
import { isbn } from './isbn.ts'

const author = node({
  description: 'Somebody who wrote a book.',
  fields: { name: field.string({ default: true, required: true }) },
  edges: {
    books: edge('book', { order: 'chronological', description: 'What they wrote, the oldest first.' }),
  },
})

const bookOf = (desk: Desk) =>
  node({
    description: 'A book, of which the library may have several copies.',
    fields: {
      title: field.string({ default: true, required: true }),
      isbn: field.of(isbn, { description: 'Of the edition that the library has.' }),
      author: field.ref('author', { required: true }),
      printed: field.int({ description: 'The year when it was first printed.' }),
      decade: field.string({
        description: 'The decade when it was first printed.',
        resolve: books => books.map(({ fields }) => `${Math.floor(Number(fields.printed) / 10)}0s`),
      }),
      on_shelf: field.int({
        description: 'How many copies can be taken home now.',
        // Called once for all books of a level, however many lists they are in.
        resolve: books => desk.countOnShelf(books.map(({ id }) => id)),
      }),
      subjects: field.list(field.string(), { since: 'v2.0', description: 'What it is about.' }),
    },
    edges: { copies: edge('copy') },
  })

const copy = node({
  description: 'One copy of a book, with a label of its own.',
  fields: {
    label: field.string({ default: true, required: true }),
    book: field.ref('book', { default: true, required: true }),
  },
  edges: { borrowers: edge('reader', { inverse: 'loans' }) },
})

const reader = node({
  description: 'Somebody with a card. Others do not see who reads what, but for the staff.',
  policy: [isViewer(), hasScope('staff')],
  fields: { name: field.string({ default: true, required: true }) },
  edges: {
    loans: edge('copy', {
      inverse: 'borrowers',
      description: 'What they have at home, the latest first.',
      fields: {
        lent: field.edgeTime({ description: 'When they took it home.' }),
        due: field.datetime({ description: 'When it is to come back.' }),
        renewals: field.int({ description: 'How often they were given more time.' }),
      },
    }),
  },
})

/** The catalogue of a library: authors and books, copies and loans. */
export const librarySchema = (desk: Desk) =>
  defineSchema(
    { author, book: bookOf(desk), copy, reader },
    { versions: ['v1.0', 'v2.0'], viewers: ['reader'] },
  )
