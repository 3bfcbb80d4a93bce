import type { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { overClient } from '../../../src/store/postgres/connection.js'
import { runTransaction } from '../../../src/store/sql/run-transaction.js'
import { StoreUnavailableError } from '../../../src/store/store.js'

test('no ROLLBACK waits behind a statement that never ends', async () => {
  const sent: string[] = []
  const client = {
    async query({ text }: { text: string }) {
      sent.push(text)
      if (text.startsWith('UPDATE')) throw new Error('Query read timeout')
      return { rows: [], rowCount: 0 }
    },
  }
  const onEnd = vi.fn()
  const connection = overClient('postgres://db', client as unknown as Client, 0, onEnd)
  const written = runTransaction(connection, 'BEGIN', () => connection.run('UPDATE teams SET name = $1', 'A'))
  await expect(written).rejects.toThrow(StoreUnavailableError)
  await expect(connection.all('SELECT 1')).rejects.toThrow('Query read timeout')
  expect(sent).toEqual(['BEGIN', 'UPDATE teams SET name = $1'])
  expect(onEnd).toHaveBeenCalledOnce()
})
