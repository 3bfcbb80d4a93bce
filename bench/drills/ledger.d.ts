type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** What clients know of their writes. */
export function createLedger(projectIds: string[]): {
  created(name: string): void
  beginUpdate(i: number): { number: number; end(isAcknowledged: boolean): void }
  beginRead(i: number): (number: number) => boolean
  verify(query: Query): Promise<{ lost: number; doubled: number }>
}
