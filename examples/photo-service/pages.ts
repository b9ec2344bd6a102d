import type { Page } from 'kithgraph'
import { PEOPLE } from './graph.ts'
import { html, type Markup } from './html.ts'
import { AUDIENCES } from './schema.ts'

/** The fields of a photo that a page shows. */
export type ShownPhoto = {
  readonly id: string
  readonly name?: string
  readonly link?: string
  readonly audience: string
  readonly created_time?: string
}

const page = (title: string, body: Markup): string =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${body}</html>`.text

/** Returns the sign-in page, which lists the people to choose from. */
export const signInPage = (): string =>
  page(
    'Photos',
    html`<h1>Who are you?</h1><form method="post" action="/session">${PEOPLE.map(
      ({ id, name }) => html`<button name="person" value="${id}">${name}</button> `,
    )}</form>`,
  )

const uploadForm = html`<form method="post" action="/photos">
  <input name="name" placeholder="What it shows" required>
  <input name="link" type="url" placeholder="https://…" required>
  <select name="audience">${AUDIENCES.map(audience => html`<option>${audience}</option>`)}</select>
  <button>Upload</button>
</form>`

const photoItem = ({ name = 'Untitled', link = '', audience, created_time = '' }: ShownPhoto): Markup =>
  html`<li><a href="${link}">${name}</a>, for ${audience}, <time>${created_time}</time></li>`

/**
 * Returns the page with the photos of a person that the viewer may see. On the owner's own page, a form adds
 * photos.
 */
export const photosPage = (owner: string, own: boolean, photos: Page<ShownPhoto>): string => {
  const after = photos.paging?.next && photos.paging.cursors.after
  return page(
    `Photos of ${owner}`,
    html`<h1>Photos of ${owner}</h1>
${own ? uploadForm : ''}
<ul>${photos.data.map(photoItem)}</ul>
${after ? html`<a rel="next" href="?after=${encodeURIComponent(after)}">Older ones</a>` : ''}
<nav>${PEOPLE.map(({ id, name }) => html`<a href="/people/${id}">${name}</a> `)}</nav>`,
  )
}

/**
 * Returns the page for something that does not exist, or that the viewer may not see. The page is the same in
 * both cases.
 */
export const errorPage = (message: string): string => page('Photos', html`<h1>${message}</h1>`)
