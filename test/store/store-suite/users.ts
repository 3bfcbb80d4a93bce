import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { ids, user } from './records.js'

const identity = { issuer: 'https://id.example', subject: 'sub|1' }

export function testUsers(store: () => Store): void {
  test('finds a user by id, and by address in any case', async () => {
    const jörg = user('joerg', 'Jörg@Example.com')
    await store().addUser(jörg)
    expect(await store().user('joerg')).toStrictEqual(jörg)
    expect((await store().usersWithEmail('JÖRG@EXAMPLE.COM'))[0]).toStrictEqual(jörg)
    expect((await store().usersWithEmail('jörg@example.com'))[0]).toStrictEqual(jörg)
    expect(await store().user('max')).toBeUndefined()
    for (const email of ['max@example.com', '']) expect(await store().usersWithEmail(email)).toEqual([])
  })

  test('finds the user that was added first, even after changes of both users', async () => {
    await store().upsertUser(identity, user('first', 'other@example.com'))
    await store().addUser(user('second', 'ada@example.com'))
    for (const givenName of ['Ada', 'Augusta']) {
      await store().upsertUser(identity, { ...user('first', 'ada@example.com'), givenName })
      expect(ids(await store().usersWithEmail('ada@example.com'))).toEqual(['first', 'second'])
      expect((await store().usersWithEmail('ada@example.com'))[0]?.id).toBe('first')
    }
  })

  test('refuses an existing id, and changes nothing', async () => {
    await store().addUser(user('ada'))
    await expect(store().addUser(user('ada', 'other@example.com'))).rejects.toThrow()
    expect(await store().user('ada')).toStrictEqual(user('ada'))
  })

  test('has one user for an identity, and updates the profile', async () => {
    expect(await store().upsertUser(identity, user('ada'))).toStrictEqual(user('ada'))
    const renamed = { ...user('ada', 'ADA@new.example'), givenName: 'Adá', familyName: '', picture: '' }
    expect(await store().upsertUser(identity, { ...renamed, id: 'later' })).toStrictEqual(renamed)
    expect(await store().user('ada')).toStrictEqual(renamed)
    expect(await store().usersWithEmail('ada@NEW.example')).toStrictEqual([{ ...renamed, ...identity }])
    expect(await store().user('later')).toBeUndefined()
    expect((await store().export()).users).toStrictEqual([{ ...renamed, ...identity }])
  })

  test('has one user for an identity with concurrent sign-ins', async () => {
    const users = await Promise.all(
      ['a', 'b', 'c'].map((id) => store().upsertUser(identity, user(id, 'x@y.z'))),
    )
    expect(new Set(ids(users)).size).toBe(1)
    expect((await store().export()).users).toHaveLength(1)
  })

  test('distinguishes users by issuer and subject, not by address', async () => {
    await store().addUser(user('before', 'same@example.com'))
    const others = [
      identity,
      { ...identity, subject: 'sub|2' },
      { ...identity, issuer: 'https://other.example' },
      { ...identity, subject: 'SUB|1' },
    ]
    for (const [i, other] of others.entries()) {
      expect((await store().upsertUser(other, user(`u${i}`, 'same@example.com'))).id).toBe(`u${i}`)
    }
    expect((await store().export()).users).toHaveLength(5)
    expect(await store().user('before')).toStrictEqual(user('before', 'same@example.com'))
  })

  test('returns pages of users by id', async () => {
    for (const id of ['c', 'a', 'd', 'b']) await store().addUser(user(id))
    await store().upsertUser(identity, user('e'))
    expect(ids(await store().usersAfter(undefined, 2))).toEqual(['a', 'b'])
    expect(await store().usersAfter('c', 9)).toStrictEqual([user('d'), { ...user('e'), ...identity }])
    expect(await store().usersAfter('e', 9)).toEqual([])
  })
}
