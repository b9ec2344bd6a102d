import Database from 'better-sqlite3'
import { describeSqlitePosts } from '../helpers/describe-sqlite-posts.ts'

describeSqlitePosts('better-sqlite3', () => new Database(':memory:'))
