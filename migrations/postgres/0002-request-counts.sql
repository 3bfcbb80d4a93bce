DROP INDEX projects_unique_ids;

CREATE UNLOGGED TABLE request_counts (
  key text COLLATE "C" PRIMARY KEY,
  requests integer NOT NULL,
  ends_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX request_counts_by_end ON request_counts (ends_at);
