import { HttpResponse, http } from 'msw'

/** Stands for the 200 handlers that a front end has already. */
export const handlers = Array.from({ length: 200 }, (_, index) =>
  http.get(`/api/invoices/${index + 1}`, () => HttpResponse.json({ number: index + 1 })),
)
