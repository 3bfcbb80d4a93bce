/** Closes a resource after its use, also if the use fails. */
export async function closeAfterUse<Opened extends { close(): Promise<void> }, Result>(
  opened: Opened,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}
