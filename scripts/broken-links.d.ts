/** The links of a page, relative to the root, to files and sections that do not exist. Other sites are not asked. */
export function brokenLinks(root: string, page: string): string[]
