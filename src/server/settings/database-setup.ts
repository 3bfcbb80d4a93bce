import type { Settings } from './settings.js'

/** The options for opening a database that `databaseSetup` stands for. */
export const setupOptions = (setup: Settings['databaseSetup']) => ({
  mustExist: setup !== 'create',
  migrate: setup !== 'none',
})
