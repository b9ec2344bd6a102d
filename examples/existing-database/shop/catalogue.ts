import type { Names } from './names.ts'
import type { Random } from './random.ts'
import { createRows, type TableRows } from './rows.ts'

export const ALBUM_COUNT = 260
export const TRACK_COUNT = 1600
export const PLAYLIST_COUNT = 14
const ARTIST_COUNT = 120
const TRACKS_OF_A_PLAYLIST = 90

const GENRES = [
  'Ambient',
  'Blues',
  'Chamber',
  'Country',
  'Folk',
  'Funk',
  'Jazz',
  'Pop',
  'Reggae',
  'Rock',
  'Soul',
  'Spoken word',
]
const MEDIA_TYPES = ['AAC file', 'FLAC file', 'MPEG file', 'Video file']
const PRICES = [0.99, 1.29, 1.99] as const

const named = (table: string, names: readonly string[]): TableRows => ({
  table,
  columns: [`${table}_id`, 'name'],
  rows: names.map((name, index) => [index + 1, name]),
})

const createTracks = (random: Random, names: Names): TableRows => ({
  table: 'track',
  columns: [
    'track_id',
    'name',
    'album_id',
    'media_type_id',
    'genre_id',
    'composer',
    'milliseconds',
    'bytes',
    'unit_price',
  ],
  rows: createRows(TRACK_COUNT, key => {
    const milliseconds = random.int(60_000, 600_000)
    return [
      key,
      names.track(),
      // Some tracks are singles.
      random.oneIn(40) ? null : random.int(1, ALBUM_COUNT),
      random.int(1, MEDIA_TYPES.length),
      random.oneIn(50) ? null : random.int(1, GENRES.length),
      random.oneIn(3) ? null : `${names.givenName()} ${names.familyName()}`,
      milliseconds,
      random.oneIn(20) ? null : milliseconds * 32,
      random.pick(PRICES),
    ]
  }),
})

const createPlaylistTracks = (random: Random): TableRows => ({
  table: 'playlist_track',
  columns: ['playlist_id', 'track_id'],
  rows: Array.from({ length: PLAYLIST_COUNT }, (_, index) => index + 1).flatMap(key => {
    const tracks = Array.from({ length: TRACKS_OF_A_PLAYLIST }, () => random.int(1, TRACK_COUNT))
    return [...new Set(tracks)].map(track => [key, track])
  }),
})

/** Creates what the shop sells: artists, albums, tracks and playlists. */
export const createCatalogue = (random: Random, names: Names): readonly TableRows[] => [
  {
    table: 'artist',
    columns: ['artist_id', 'name'],
    rows: createRows(ARTIST_COUNT, key => [key, random.oneIn(30) ? null : names.artist()]),
  },
  {
    table: 'album',
    columns: ['album_id', 'title', 'artist_id'],
    rows: createRows(ALBUM_COUNT, key => [key, names.album(), random.int(1, ARTIST_COUNT)]),
  },
  named('genre', GENRES),
  named('media_type', MEDIA_TYPES),
  createTracks(random, names),
  named(
    'playlist',
    createRows(PLAYLIST_COUNT, key => [`${random.pick(['Morning', 'Evening', 'Night'])} ${key}`]).flat(),
  ),
  createPlaylistTracks(random),
]
