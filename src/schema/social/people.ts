import { edge } from '../edge.ts'
import { field } from '../field-builders.ts'
import { node } from '../node.ts'
import { parameter } from '../parameter-builders.ts'
import { displayName, link, picture, updatedTime } from './shared-fields.ts'

export const user = node({
  description: 'A person.',
  appScoped: true,
  fields: {
    name: field.string({ default: true, required: true, description: 'The full name of the person.' }),
    first_name: field.string({ description: 'The first name of the person.' }),
    middle_name: field.string({ description: 'The middle name of the person.' }),
    last_name: field.string({ description: 'The last name of the person.' }),
    short_name: field.string({ description: 'A short form of the name, as the person is addressed.' }),
    name_format: field.string({
      description: 'The order of the parts of the name, such as {first} {last}.',
    }),
    username: field.string({ description: 'The name that the person chose for links.' }),
    email: field.string({ scope: 'email', description: 'The email address of the person.' }),
    birthday: field.birthday({
      scope: 'user_birthday',
      description: 'MM/DD/YYYY, or only YYYY or MM/DD, as the person chose.',
    }),
    age_range: field.ageRange({
      description: 'The age segment of the person: min, and max up to an age of 20.',
    }),
    gender: field.string({ description: 'The gender that the person entered.' }),
    link,
    picture,
    about: field.string({ description: 'A text by the person about themselves.' }),
    locale: field.string({ description: 'The language and country that the person chose.' }),
    timezone: field.float({ description: 'The time zone of the person, as hours ahead of UTC.' }),
    verified: field.bool({ description: 'Whether the person has confirmed the account.' }),
    updated_time: updatedTime,
  },
  edges: {
    photos: edge('photo', {
      defaults: ['created_time'],
      scope: 'user_photos',
      description: 'The photos of the person.',
      parameters: {
        type: parameter.enum(['tagged', 'uploaded'], {
          default: 'tagged',
          description: 'Whether the person is tagged in the photos (tagged) or published them (uploaded).',
        }),
      },
      /** Photos in which the person is tagged and published photos are separate lists. */
      list: ({ type }) => (type === 'uploaded' ? 'photos_uploaded' : 'photos'),
    }),
    albums: edge('album', { scope: 'user_photos', description: 'The albums of the person.' }),
    posts: edge('post', { scope: 'user_posts', description: 'The posts that the person published.' }),
    feed: edge('post', { scope: 'user_posts', description: 'The posts on the profile, by anyone.' }),
    friends: edge('user', {
      symmetric: true,
      scope: 'user_friends',
      description: 'The friends of the person.',
    }),
    likes: edge('page', {
      inverse: 'likes',
      scope: 'user_likes',
      description: 'The pages that the person likes.',
    }),
    groups: edge('group', {
      inverse: 'members',
      scope: 'user_groups',
      description: 'The groups that the person is a member of.',
    }),
    accounts: edge('page', { scope: 'pages_show_list', description: 'The pages that the person runs.' }),
  },
})

export const page = node({
  description: 'A page of an organisation, a place or a public figure.',
  fields: {
    name: displayName,
    about: field.string({ description: 'A text about the page.' }),
    category: field.string({ description: 'The kind of page.' }),
    link,
    picture,
    username: field.string({ description: 'The name that the page chose for links.' }),
    created_time: field.datetime({ description: 'The time at which the page was created.' }),
  },
  edges: {
    photos: edge('photo', { defaults: ['created_time'], description: 'The photos that the page published.' }),
    posts: edge('post', { description: 'The posts that the page published.' }),
    feed: edge('post', { description: 'The posts on the page, by anyone.' }),
    likes: edge('user', { inverse: 'likes', description: 'The people who like the page.' }),
  },
})

export const group = node({
  description: 'A group of people.',
  fields: {
    name: displayName,
    description: field.string({ description: 'The purpose of the group.' }),
    link,
    picture,
    created_time: field.datetime({ description: 'The time at which the group was created.' }),
    updated_time: updatedTime,
  },
  edges: {
    members: edge('user', {
      inverse: 'groups',
      fields: { joined: field.edgeTime({ description: 'The time at which the person joined the group.' }) },
      description: 'The members of the group.',
    }),
    feed: edge('post', { description: 'The posts in the group.' }),
  },
})
