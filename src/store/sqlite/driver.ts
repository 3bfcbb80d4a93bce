import type sqlite3 from 'sqlite3'

/** The database driver, an optional dependency, is not installed or has no binary for this platform. */
export class DriverMissingError extends Error {
  override name = 'DriverMissingError'
}

/**
 * Loads the database driver.
 * @throws DriverMissingError that says what to install
 */
export async function loadDriver(): Promise<typeof sqlite3> {
  try {
    return (await import('sqlite3')).default
  } catch (error) {
    const message =
      (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
        ? 'A database needs the package sqlite3. Install it with: npm install sqlite3'
        : 'The package sqlite3 cannot be loaded. Build it for this platform with: npm rebuild sqlite3'
    throw new DriverMissingError(message, { cause: error })
  }
}
