-- The version of each team: a random text that every change of the team or of its projects replaces, in the transaction
-- that makes it. Equal versions mean equal content, whichever server, timeline, backup or program they come from.
-- The transactions in changed_in are for nodes of the release before.
ALTER TABLE changes ADD COLUMN version text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text;

CREATE OR REPLACE FUNCTION record_projects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, count(*), sum(octet_length(to_json(name)::text) - 2
        + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(status)::text) - 2)
      FROM new_rows GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in, version = excluded.version,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, -count(*), -sum(octet_length(to_json(name)::text) - 2
        + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(status)::text) - 2)
      FROM old_rows GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in, version = excluded.version,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  ELSE
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, sum(sign), sum(sign * (octet_length(to_json(name)::text) - 2
        + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(status)::text) - 2))
      FROM (SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows) AS changed
      GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in, version = excluded.version,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_no_projects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE changes SET changed_in = pg_current_xact_id(), version = gen_random_uuid()::text, projects = 0, bytes = 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO changes (scope) VALUES ('') ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in
    WHERE changes.changed_in <> excluded.changed_in;
  IF TG_TABLE_NAME = 'teams' AND TG_OP IN ('UPDATE', 'DELETE') THEN
    UPDATE changes SET changed_in = pg_current_xact_id(), version = gen_random_uuid()::text WHERE scope = old.id;
  END IF;
  RETURN NULL;
END $$;
