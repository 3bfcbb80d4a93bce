/** Makes the links between the libraries of PostgreSQL. @throws where it is not installed for this platform */
export function linkPostgresLibraries(): void
