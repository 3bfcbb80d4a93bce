/** The folder `migrations` of the package, which is as far from this module as from the bundles. */
export const migrationsFolder = new URL('../../migrations/', import.meta.url)
