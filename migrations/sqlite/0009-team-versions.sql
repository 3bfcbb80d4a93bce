-- The version of each team: a random text that every change of the team or of its projects replaces, in the transaction
-- that makes it. Equal versions mean equal content, whichever file, backup or program they come from.
ALTER TABLE changes ADD COLUMN version TEXT NOT NULL DEFAULT '';
INSERT INTO changes (scope, serial) SELECT id, 0 FROM teams WHERE true ON CONFLICT (scope) DO NOTHING;
UPDATE changes SET version = lower(hex(randomblob(16)));

DROP TRIGGER project_added;
DROP TRIGGER project_changed;
DROP TRIGGER project_moved;
DROP TRIGGER project_removed;
DROP TRIGGER team_added;
DROP TRIGGER team_changed;
DROP TRIGGER team_removed;
DROP TRIGGER user_changed;
DROP TRIGGER user_removed;
DROP TRIGGER session_changed;
DROP TRIGGER session_removed;

-- Sizes are the bytes of a project's text in JSON. The serials are for programs of the release before.
CREATE TRIGGER project_added AFTER INSERT ON projects BEGIN
  INSERT INTO changes (scope, serial, version, projects, bytes) VALUES (
    new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16))), 1,
    length(CAST(json_quote(new.name) AS BLOB)) + length(CAST(json_quote(coalesce(new.description, '')) AS BLOB))
      + length(CAST(json_quote(new.status) AS BLOB)) - 6
  ) ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_changed AFTER UPDATE ON projects BEGIN
  INSERT INTO changes (scope, serial, version, projects, bytes) VALUES (
    old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16))), -1,
    6 - length(CAST(json_quote(old.name) AS BLOB)) - length(CAST(json_quote(coalesce(old.description, '')) AS BLOB))
      - length(CAST(json_quote(old.status) AS BLOB))
  ) ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
  INSERT INTO changes (scope, serial, version, projects, bytes) VALUES (
    new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16))), 1,
    length(CAST(json_quote(new.name) AS BLOB)) + length(CAST(json_quote(coalesce(new.description, '')) AS BLOB))
      + length(CAST(json_quote(new.status) AS BLOB)) - 6
  ) ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
  INSERT INTO changes (scope, serial, version, projects, bytes) VALUES (
    old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16))), -1,
    6 - length(CAST(json_quote(old.name) AS BLOB)) - length(CAST(json_quote(coalesce(old.description, '')) AS BLOB))
      - length(CAST(json_quote(old.status) AS BLOB))
  ) ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER team_added AFTER INSERT ON teams BEGIN
  INSERT INTO changes (scope, serial, version)
    SELECT value, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16)))
    FROM json_each(json_array('', new.id)) WHERE true
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version;
END;
CREATE TRIGGER team_changed AFTER UPDATE ON teams BEGIN
  INSERT INTO changes (scope, serial, version)
    SELECT value, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16)))
    FROM json_each(json_array('', old.id, new.id)) WHERE true
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version;
END;
CREATE TRIGGER team_removed AFTER DELETE ON teams BEGIN
  INSERT INTO changes (scope, serial, version)
    SELECT value, (SELECT coalesce(max(serial), 0) + 1 FROM changes), lower(hex(randomblob(16)))
    FROM json_each(json_array('', old.id)) WHERE true
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial, version = excluded.version;
END;

-- Programs of the release before cache users and sessions until the serial of everything else changes.
CREATE TRIGGER user_changed AFTER UPDATE ON users BEGIN
  UPDATE changes SET serial = (SELECT max(serial) + 1 FROM changes) WHERE scope = '';
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
  UPDATE changes SET serial = (SELECT max(serial) + 1 FROM changes) WHERE scope = '';
END;
CREATE TRIGGER session_changed
AFTER UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions BEGIN
  UPDATE changes SET serial = (SELECT max(serial) + 1 FROM changes) WHERE scope = '';
END;
CREATE TRIGGER session_removed AFTER DELETE ON sessions BEGIN
  UPDATE changes SET serial = (SELECT max(serial) + 1 FROM changes) WHERE scope = '';
END;
INSERT INTO changes (scope, serial, version) VALUES ('', 1, '')
  ON CONFLICT (scope) DO UPDATE SET serial = (SELECT max(serial) + 1 FROM changes);
