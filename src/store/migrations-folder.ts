/** The folder `migrations` of the package: as far from this module as from the bundles. */
export const migrationsFolder = new URL('../../migrations/', import.meta.url)
