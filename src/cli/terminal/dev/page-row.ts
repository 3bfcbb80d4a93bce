import type { Colour } from '../../output/log-line.js'

/** A row of a page of text. With a label, it has two columns. */
export type PageRow = { label?: string; text: string; style?: Colour | 'bold' | 'dim' }
