/** The clock of the demo is fixed at 5 June 1832, so that every run prints the same output. */
export const NOW = Date.UTC(1832, 5, 5, 18)

const pictures = (name: string) =>
  [50, 200].map(size => ({ url: `https://pictures.example/${name}-${size}.png`, width: size, height: size }))

/** Details about some people. The novel mentions only years of birth, so birthdays show only the year. */
export const people: {
  readonly [name: string]: {
    readonly gender?: string
    readonly email?: string
    readonly birthday?: { readonly date: string; readonly show: 'year' }
    readonly picture?: ReturnType<typeof pictures>
  }
} = {
  Valjean: { gender: 'male', birthday: { date: '1769-02-01', show: 'year' } },
  Javert: { gender: 'male', birthday: { date: '1780-02-01', show: 'year' }, email: 'javert@police.example' },
  Cosette: { gender: 'female', birthday: { date: '1815-02-01', show: 'year' }, picture: pictures('cosette') },
  Gavroche: { gender: 'male', birthday: { date: '1820-02-01', show: 'year' } },
  Marius: {
    gender: 'male',
    email: 'marius@abc.example',
    birthday: { date: '1810-02-01', show: 'year' },
    picture: pictures('marius'),
  },
}

/** Invented pages. */
export const pages = [
  {
    id: '3001',
    name: 'Friends of the ABC',
    category: 'Society',
    about: 'In public for the education of children.',
    fans: ['Marius', 'Enjolras', 'Combeferre', 'Courfeyrac', 'Joly', 'Bossuet', 'Grantaire'],
  },
  {
    id: '3002',
    name: 'Corinthe',
    category: 'Wine shop',
    about: 'Stuffed carp, and tables that make a good barricade.',
    fans: ['Grantaire', 'Joly', 'Bossuet'],
  },
]

/** Invented posts. Each has one author, and is on a page or visible to the author's friends. */
export const posts = [
  {
    id: '4001',
    from: 'Marius',
    time: '1832-04-20T15:00:00Z',
    message: 'I saw her again in the garden of the Luxembourg.',
    fans: ['Courfeyrac'],
  },
  {
    id: '4002',
    from: 'Marius',
    time: '1832-06-03T21:30:00Z',
    message: 'The lamps in the rue Plumet are out. Has she moved?',
    fans: ['Eponine', 'Courfeyrac'],
  },
  {
    id: '4003',
    from: 'Enjolras',
    to: '3001',
    time: '1832-06-05T14:00:00Z',
    message: 'Everybody to the rue de la Chanvrerie. Bring furniture.',
    fans: ['Marius', 'Combeferre', 'Courfeyrac', 'Gavroche'],
  },
  {
    id: '4004',
    from: 'Gavroche',
    to: '3001',
    time: '1832-06-05T16:45:00Z',
    message: 'An omnibus, a cart and fifty paving stones. I counted them.',
    fans: ['Enjolras', 'Courfeyrac'],
  },
  {
    id: '4005',
    from: 'Marius',
    time: '1832-06-05T17:30:00Z',
    message: 'I am going after all.',
    fans: ['Cosette', 'Eponine', 'Enjolras'],
  },
]

/** Invented photos. */
export const photos = [
  {
    id: '5001',
    from: 'Marius',
    time: '1832-04-20T15:05:00Z',
    name: 'The bench under the plane trees',
    fans: ['Cosette'],
  },
  {
    id: '5002',
    from: 'Marius',
    time: '1832-06-03T21:00:00Z',
    name: 'A gate in the rue Plumet',
    fans: ['Eponine'],
  },
  {
    id: '5003',
    from: 'Joly',
    time: '1832-06-01T10:00:00Z',
    name: 'My tongue, seen in a mirror',
    fans: ['Bossuet'],
  },
  {
    id: '5004',
    from: 'Joly',
    time: '1832-06-05T09:30:00Z',
    name: 'Breakfast at the Corinthe',
    fans: ['Bossuet', 'Grantaire'],
  },
  {
    id: '5005',
    from: 'Bossuet',
    time: '1832-06-02T12:00:00Z',
    name: 'The hat that I lost',
    fans: ['Joly', 'Courfeyrac'],
  },
  {
    id: '5006',
    from: 'Bahorel',
    time: '1832-06-04T11:00:00Z',
    name: 'A red waistcoat',
    fans: ['Courfeyrac'],
  },
]

/** Invented comments. */
export const comments = [
  { id: '6001', on: '4003', from: 'Grantaire', time: '1832-06-05T14:10:00Z', message: 'After lunch.' },
  {
    id: '6002',
    on: '4003',
    from: 'Combeferre',
    time: '1832-06-05T14:20:00Z',
    message: 'Bring bandages as well.',
  },
  {
    id: '6003',
    on: '4005',
    from: 'Courfeyrac',
    time: '1832-06-05T17:40:00Z',
    message: 'So you do have a coat.',
  },
  {
    id: '6004',
    on: '4005',
    from: 'Gavroche',
    time: '1832-06-05T17:50:00Z',
    message: 'Mind the paving stones.',
  },
  { id: '6005', on: '5001', from: 'Cosette', time: '1832-04-21T09:00:00Z', message: 'I know this bench.' },
  { id: '6006', on: '5003', from: 'Bossuet', time: '1832-06-01T10:05:00Z', message: 'It looks well to me.' },
  { id: '6007', on: '5004', from: 'Grantaire', time: '1832-06-05T09:40:00Z', message: 'Wait for me.' },
  {
    id: '6008',
    on: '5004',
    from: 'Bossuet',
    time: '1832-06-05T09:45:00Z',
    message: 'The ham is excellent.',
  },
  { id: '6009', on: '5005', from: 'Joly', time: '1832-06-02T12:10:00Z', message: 'It suited you.' },
  {
    id: '6010',
    on: '5006',
    from: 'Courfeyrac',
    time: '1832-06-04T11:20:00Z',
    message: 'One can see it from the Bastille.',
  },
]
