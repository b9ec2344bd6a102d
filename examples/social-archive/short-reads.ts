/** One of the seven short reads of the social-network workload. */
export type ShortRead = {
  readonly name: string
  readonly question: string
  /** What the workload asks for and the archive does not have. */
  readonly missing: string
  readonly about: 'person' | 'message'
  readonly fields: string
}

const NAME = 'first_name,last_name'

/** How many messages a thread is followed upwards: as many as the longest one of the archive has above its last. */
const THREAD = 7

/** What is above a message, message by message; `asked` is answered of each that has it. */
const above = (asked: string, levels = THREAD): string =>
  `parent.limit(1){${levels > 1 ? `${asked},${above(asked, levels - 1)}` : asked}}`

/** The reads, each as one expression. All are asked for the person who wrote the message. */
export const SHORT_READS: readonly ShortRead[] = [
  {
    name: 'IS1',
    question: 'The profile of a person',
    missing: 'nothing',
    about: 'person',
    fields: `${NAME},birthday,location_ip,browser,gender,created_time,city.limit(1)`,
  },
  {
    name: 'IS2',
    question:
      'The last ten messages of a person, each with the thread above it, up to the post and its author',
    missing: 'texts and dates of messages',
    about: 'person',
    fields: `messages.limit(10){${above(`from{${NAME}}`)}}`,
  },
  {
    name: 'IS3',
    question: 'The friends of a person, and since when',
    missing: 'nothing; friends of the same moment come by descending id',
    about: 'person',
    fields: `friends.limit(100){${NAME},since}`,
  },
  {
    name: 'IS4',
    question: 'A message',
    missing: 'its text and its date, so that the id alone is left',
    about: 'message',
    fields: 'id',
  },
  {
    name: 'IS5',
    question: 'The author of a message',
    missing: 'nothing',
    about: 'message',
    fields: `from{${NAME}}`,
  },
  {
    name: 'IS6',
    question: 'The group of a message, at the top of its thread, and its moderator',
    missing: 'nothing',
    about: 'message',
    fields: above(`group.limit(1){title,moderator.limit(1){${NAME}}}`),
  },
  {
    name: 'IS7',
    question: 'The replies to a message, their authors, and whether those know the author of the message',
    missing: 'texts and dates of messages',
    about: 'message',
    fields: `comments.limit(100){from{${NAME},viewer_knows}}`,
  },
]
