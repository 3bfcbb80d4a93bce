/** Uses what was opened, and closes it in any case. */
export async function closeAfter<Opened extends { close(): Promise<void> }, Result>(
  opened: Opened,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}
