/** Mounts a disk of a size such as `4m` at a new folder. Returns what unmounts it. */
export function mountDisk(folder: string, size: string): () => void
/** Why no disk can be mounted here; undefined where it is possible. */
export function noMounts(): string | undefined
