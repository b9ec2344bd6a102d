import type { WireResponse } from './wire.ts'

const DEFAULT_PICTURE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#d8dce3"/>' +
  '<g fill="#fff"><circle cx="50" cy="38" r="18"/><path d="M14 100a36 36 0 0 1 72 0z"/></g></svg>'

/** Creates the response with the default picture. */
export const createDefaultPictureResponse = (): WireResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'image/svg+xml',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'public, max-age=86400',
  },
  body: DEFAULT_PICTURE_SVG,
})
