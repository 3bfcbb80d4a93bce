import { describe, expect, test } from 'vitest'
import { exceededLimit, projectBytes, sizeOfChange, sizeOfNew } from '../../src/contract/limits.js'

const project = { name: 'Roadmap', description: null, status: 'active' }
const limits = { projects: 10, bytes: 100 }

describe('the text of a project', () => {
  test.each([
    ['plain text', { ...project, description: 'A plan' }, 19],
    ['no description, or an empty one', { ...project, description: '' }, 13],
    ['one character', { name: 'a' }, 1],
    ['characters that JSON escapes', { name: '"\\', description: '\n', status: '\u0001' }, 4 + 2 + 6],
    [
      'letters of several bytes, wherever they are',
      { name: 'é1', description: '1é', status: '€' },
      3 + 3 + 3,
    ],
    ['pairs, and their halves, which JSON escapes', { name: '😀', description: '\ud83d' }, 4 + 6],
  ])('has the bytes that it takes in a response: %s', (_, text, bytes) => {
    expect(projectBytes(text)).toBe(bytes)
  })

  test('counts for a team: the text of a new project, and the difference of a change', () => {
    expect(sizeOfNew(project)).toEqual({ projects: 1, bytes: 13 })
    expect(sizeOfChange(project, { name: 'Roadmaps', status: '' })).toEqual({ projects: 0, bytes: 1 - 6 })
    expect(sizeOfChange(project, {})).toEqual({ projects: 0, bytes: 0 })
  })
})

describe('a limit of a team', () => {
  test.each([
    ['is exceeded by one project more', { projects: 10, bytes: 0 }, { projects: 1, bytes: 1 }, 'projects'],
    ['is exceeded by one byte more', { projects: 9, bytes: 99 }, { projects: 1, bytes: 2 }, 'bytes'],
    ['is exceeded by a longer text', { projects: 10, bytes: 100 }, { projects: 0, bytes: 1 }, 'bytes'],
    ['may be reached', { projects: 9, bytes: 99 }, { projects: 1, bytes: 1 }, undefined],
    ['lets a shorter text through', { projects: 20, bytes: 200 }, { projects: 0, bytes: -1 }, undefined],
    ['lets an equal text through', { projects: 20, bytes: 200 }, { projects: 0, bytes: 0 }, undefined],
  ])('%s', (_, size, added, exceeded) => {
    expect(exceededLimit(size, added, limits)).toBe(exceeded)
  })
})
