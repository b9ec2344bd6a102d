/** One of the seven short reads of the social-network workload. */
export type ShortRead = {
  readonly name: string
  readonly description: string
  /** The data that the workload requires but the archive does not contain. */
  readonly missing: string
  readonly about: 'person' | 'message'
  readonly fields: string
}

const NAME = 'first_name,last_name'

/** The maximum number of messages that are read above a message. No thread in the archive is longer. */
const THREAD = 7

/** Builds an expression that reads `fields` of the messages above a message, up to the post. */
const messagesAbove = (fields: string, levels = THREAD): string =>
  `parent.limit(1){${levels > 1 ? `${fields},${messagesAbove(fields, levels - 1)}` : fields}}`

/** The seven reads, each as one expression. The viewer is the author of the message. */
export const SHORT_READS: readonly ShortRead[] = [
  {
    name: 'IS1',
    description: 'The profile of a person',
    missing: 'nothing',
    about: 'person',
    fields: `${NAME},birthday,location_ip,browser,gender,created_time,city.limit(1)`,
  },
  {
    name: 'IS2',
    description:
      'The last ten messages of a person, each with the thread above it, up to the post and its author',
    missing: 'texts and dates of messages',
    about: 'person',
    fields: `messages.limit(10){${messagesAbove(`from{${NAME}}`)}}`,
  },
  {
    name: 'IS3',
    description: 'The friends of a person, with the dates',
    missing: 'nothing; friends with equal dates are sorted by descending id',
    about: 'person',
    fields: `friends.limit(100){${NAME},since}`,
  },
  {
    name: 'IS4',
    description: 'A message',
    missing: 'its text and its date, so only the id is read',
    about: 'message',
    fields: 'id',
  },
  {
    name: 'IS5',
    description: 'The author of a message',
    missing: 'nothing',
    about: 'message',
    fields: `from{${NAME}}`,
  },
  {
    name: 'IS6',
    description: 'The group of a message, at the top of its thread, and its moderator',
    missing: 'nothing',
    about: 'message',
    fields: messagesAbove(`group.limit(1){title,moderator.limit(1){${NAME}}}`),
  },
  {
    name: 'IS7',
    description: 'The replies to a message, their authors, and whether those know the author of the message',
    missing: 'texts and dates of messages',
    about: 'message',
    fields: `comments.limit(100){from{${NAME},viewer_knows}}`,
  },
]
