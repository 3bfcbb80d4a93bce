/** The commit that is built, with `-dirty` if files were changed since; '' where it is not known. */
export function sourceCommit(): string
