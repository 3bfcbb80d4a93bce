import type { SqlConnection } from './sql-database.js'

/**
 * Looks for teams whose size in the database is not that of their projects: their lists and limits are wrong then.
 * @param lengthInJson the length of a text as JSON, with its quotes, in bytes and in SQL; the same as `projectBytes` of the
 *   contract
 * @returns how many there are, in words; undefined for none
 */
export async function findWrongSizes(
  connection: Pick<SqlConnection, 'all'>,
  lengthInJson: (text: string) => string,
): Promise<string | undefined> {
  const bytes = ['name', 'description', 'status']
    .map((column) => `${lengthInJson(`coalesce(${column}, '')`)} - 2`)
    .join(' + ')
  const { length } = await connection.all(`SELECT team_id FROM (
      SELECT team_id, count(*) AS projects, sum(${bytes}) AS bytes FROM projects GROUP BY team_id
    ) AS held FULL JOIN (SELECT * FROM changes WHERE scope <> '') AS counted ON scope = team_id
    WHERE coalesce(held.projects, 0) <> coalesce(counted.projects, 0)
      OR coalesce(held.bytes, 0) <> coalesce(counted.bytes, 0)`)
  return length > 0 ? `${length} teams with a wrong size` : undefined
}
