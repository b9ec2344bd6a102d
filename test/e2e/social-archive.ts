/** A file of an archive. */
export type ArchiveFile = { readonly name: string; readonly text: string }

const BLOCK = 512
const CHECKSUM = 148

const createHeader = (name: string, size: number): Buffer => {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(' '.repeat(8), CHECKSUM)
  header.write('0', 156)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, CHECKSUM)
  return header
}

/** Creates a tar archive of files. */
export const createTar = (files: readonly ArchiveFile[]): Buffer => {
  const blocks = files.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text)
    return [createHeader(name, bytes.length), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

const table = (name: string, ...lines: string[]): ArchiveFile => ({
  name: `social/${name}.csv`,
  text: lines.map(line => `${line}\n`).join(''),
})

/**
 * Three people, a thread of four messages and two likes, in the format of the archive. Edges are before nodes,
 * and a part without a header is before the file that it continues.
 */
export const socialArchive: readonly ArchiveFile[] = [
  table('Comment_hasCreator_Person_1', '9|4194'),
  table('Comment_hasCreator_Person', ':START_ID(Comment)|:END_ID(Person)', '5|1129', '7|933'),
  table('Comment_replyOf_Comment', ':START_ID(Comment)|:END_ID(Comment)', '7|5', '9|7'),
  table('Comment_replyOf_Post', ':START_ID(Comment)|:END_ID(Post)', '5|3'),
  table('Forum', 'id:ID(Forum)|title:STRING|creationDate:LONG', '0|Wall of Mahinda Perera|20100214153220447'),
  table('Forum_containerOf_Post', ':START_ID(Forum)|:END_ID(Post)', '0|3'),
  table('Forum_hasModerator_Person', ':START_ID(Forum)|:END_ID(Person)', '0|933'),
  table('Person_isLocatedIn_Place', ':START_ID(Person)|:END_ID(Place)', '933|1353', '1129|1353'),
  table(
    'Person_knows_Person',
    ':START_ID(Person)|:END_ID(Person)|creationDate:LONG',
    '933|4194|20101210143029000',
  ),
  table(
    'Person_likes_Comment',
    ':START_ID(Person)|:END_ID(Comment)|creationDate:LONG',
    '933|9|20120720202421582',
  ),
  table('Person_likes_Post_1', '1129|3|20110913010350756'),
  table(
    'Place',
    'id:ID(Place)|name:STRING|url:STRING|:LABEL',
    '1353|Kelaniya|http://places.example/1353|City',
  ),
  table('Place_isPartOf_Place', ':START_ID(Place)|:END_ID(Place)', '1353|0'),
  table('Post_hasCreator_Person', ':START_ID(Post)|:END_ID(Person)', '3|933'),
  table(
    'Person',
    'id:ID(Person)|firstName:STRING|lastName:STRING|gender:STRING|birthday:LONG|creationDate:LONG|locationIP:STRING|browserUsed:STRING',
    '933|Mahinda|Perera|male|19891203|20100214153210447|119.235.7.103|Firefox',
    '1129|Carmen|Lepland|female|19840218|20100128063958781|195.20.151.175|Firefox',
    '4194|Hồ|Do|male|19881014|20100315091011000|103.2.223.188|Chrome',
  ),
]
