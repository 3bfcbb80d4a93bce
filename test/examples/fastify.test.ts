import { test } from 'vitest'
import { folderForEachTest } from '../store/sqlite/sqlite-folder.js'
import { useExample } from './fastify-application.js'

const folder = folderForEachTest()

test('the Fastify application serves its own route and the dashboard API over SQLite', () =>
  useExample(folder.database()))
