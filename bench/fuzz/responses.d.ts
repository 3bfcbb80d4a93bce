type Received = { status: number; type: string; closes: boolean; text: string }
export function takeResponses(
  bytes: Buffer,
  isHead?: (number: number) => boolean,
  isClosed?: boolean,
): { responses: Received[]; used: number; fault: string | undefined }
