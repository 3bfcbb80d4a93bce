/** A condition on projects, for the index by name: those of a team whose name has a key. */
export const isNamed = (team: string, key: string): string =>
  `team_id = ${team} AND hashtextextended(name_key, 0) = hashtextextended((${key}) COLLATE "C", 0) AND name_key = ${key}`
