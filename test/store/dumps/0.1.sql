-- A database that the program of commit 1cfec55f made, by sqlite3's .dump. It is never edited.
PRAGMA application_id=1145131081;
PRAGMA user_version=3;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE teams (
     position INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     org_code TEXT NOT NULL UNIQUE
   ) STRICT;
INSERT INTO teams VALUES(1,'team-acme','Acme','org_acme');
INSERT INTO teams VALUES(2,'team-globex','Globex','org_globex');
INSERT INTO teams VALUES(3,'initech','Initech''s','org_initech');
CREATE TABLE users (
     position INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL,
     given_name TEXT NOT NULL,
     family_name TEXT NOT NULL,
     picture TEXT NOT NULL
   , issuer TEXT, subject TEXT) STRICT;
INSERT INTO users VALUES(1,'user-ada','ada@acme.example','ada@acme.example','Ada','Osei','https://avatars.example/ada.png',NULL,NULL);
INSERT INTO users VALUES(2,'user-max','max@acme.example','max@acme.example','Max','Lindqvist','https://avatars.example/max.png',NULL,NULL);
INSERT INTO users VALUES(3,'user-vera','vera@acme.example','vera@acme.example','Vera','Moreau','https://avatars.example/vera.png',NULL,NULL);
INSERT INTO users VALUES(4,'user-gus','gus@globex.example','gus@globex.example','Gus','Tanaka','https://avatars.example/gus.png',NULL,NULL);
INSERT INTO users VALUES(5,'user-nora','nora@example.com','nora@example.com','Nora','Byrne','https://avatars.example/nora.png',NULL,NULL);
INSERT INTO users VALUES(6,'user-tom','tom@initech.example','tom@initech.example','Tom','Ferreira','https://avatars.example/tom.png',NULL,NULL);
INSERT INTO users VALUES(7,'01a2043e-f1bf-774f-9a43-7d6b044c280d','lin@initech.example','lin@initech.example','Lin','','',NULL,NULL);
INSERT INTO users VALUES(8,'linus','linus@id.example','linus@id.example','linus','Ünal','','https://id.example','sub|1');
CREATE TABLE sessions (
     position INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL REFERENCES users (id),
     org_code TEXT,
     permissions TEXT NOT NULL,
     role TEXT,
     note TEXT,
     created_at TEXT,
     last_seen_at TEXT,
     expires_at TEXT,
     revoked_at TEXT
   ) STRICT;
INSERT INTO sessions VALUES(1,'ses_hGSsse31uK8Zyef1wbX04eOjDXINekZ8','user-ada','org_acme','["create:projects","update:projects"]',NULL,NULL,'2026-11-22T17:12:42.750Z',NULL,'2026-11-23T05:12:42.750Z',NULL);
INSERT INTO sessions VALUES(2,'ses_krVOG4P88vGRPrc723OsNhSD7uH45ZVl','01a2043e-f1bf-774f-9a43-7d6b044c280d',NULL,'[]',NULL,NULL,'2026-11-22T17:12:43.719Z',NULL,'2026-11-23T05:12:43.719Z',NULL);
INSERT INTO sessions VALUES(3,'s1','linus','org_initech','["create:projects"]',NULL,NULL,'2026-03-01T12:01:00.000Z','2026-03-01T12:02:00.000Z','2026-03-01T22:00:00.000Z','2026-03-01T12:03:00.000Z');
INSERT INTO sessions VALUES(4,'s2','linus',NULL,'[]','admin','it''s','2026-03-01T12:01:00.000Z',NULL,'2026-03-01T22:00:00.000Z',NULL);
CREATE TABLE projects (
     position INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     name_key TEXT NOT NULL,
     description TEXT,
     status TEXT NOT NULL,
     team_id TEXT NOT NULL REFERENCES teams (id),
     created_at TEXT NOT NULL
   ) STRICT;
INSERT INTO projects VALUES(1,'0198c0de-0000-7000-8000-000000000001','Website relaunch','website relaunch','New look, same content, faster pages.','active','team-acme','2026-03-02T09:15:00.000Z');
INSERT INTO projects VALUES(2,'0198c0de-0000-7000-8000-000000000002','Mobile app','mobile app',NULL,'paused','team-acme','2026-04-20T14:30:00.000Z');
INSERT INTO projects VALUES(3,'0198c0de-0000-7000-8000-000000000003','Äpfel & Birnen','äpfel & birnen','A shop for fruit that nobody else compares.','completed','team-acme','2026-05-11T08:00:00.000Z');
INSERT INTO projects VALUES(4,'0198c0de-0000-7000-8000-000000000004','Data warehouse','data warehouse','','archived','team-acme','2026-06-30T16:45:00.000Z');
INSERT INTO projects VALUES(5,'0198c0de-0000-7000-8000-000000000005','Website relaunch','website relaunch','Globex has one of the same name: names are unique within a team only.','active','team-globex','2026-02-14T10:00:00.000Z');
INSERT INTO projects VALUES(6,'0198c0de-0000-7000-8000-000000000006','Reactor safety','reactor safety',NULL,'active','team-globex','2026-07-01T12:00:00.000Z');
INSERT INTO projects VALUES(7,'p1','ÄPFEL "quoted"','äpfel "quoted"',NULL,'active','initech','2026-03-01T12:01:00.000Z');
INSERT INTO projects VALUES(8,'p2',replace('Second\nline','\n',char(10)),replace('second\nline','\n',char(10)),'é\','paused','initech','2026-03-01T12:02:00.000Z');
CREATE TABLE waitlist (
     position INTEGER PRIMARY KEY,
     email TEXT NOT NULL UNIQUE,
     created_at TEXT NOT NULL
   ) STRICT;
INSERT INTO waitlist VALUES(1,'grace@example.com','2026-11-22T17:12:41.127Z');
CREATE TABLE changes (scope TEXT PRIMARY KEY, serial INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO changes VALUES('team-acme',6);
INSERT INTO changes VALUES('team-globex',8);
INSERT INTO changes VALUES('initech',12);
INSERT INTO changes VALUES('',13);
CREATE INDEX users_by_email ON users (email_key);
CREATE INDEX projects_in_order ON projects (team_id, created_at DESC, id DESC);
CREATE INDEX projects_by_name ON projects (team_id, name_key);
CREATE INDEX waitlist_in_order ON waitlist (created_at DESC, email);
CREATE UNIQUE INDEX users_by_identity ON users (issuer, subject);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX changes_in_order ON changes (serial);
CREATE TRIGGER project_added AFTER INSERT ON projects BEGIN
     INSERT INTO changes VALUES (new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER project_changed AFTER UPDATE ON projects BEGIN
     INSERT INTO changes VALUES (new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER project_moved AFTER UPDATE OF team_id ON projects WHEN old.team_id IS NOT new.team_id BEGIN
     INSERT INTO changes VALUES (old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
     INSERT INTO changes VALUES (old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER team_added AFTER INSERT ON teams BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER team_changed AFTER UPDATE ON teams BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER team_removed AFTER DELETE ON teams BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER user_changed AFTER UPDATE ON users WHEN (old.id, old.email, old.given_name, old.family_name, old.picture)
          IS NOT (new.id, new.email, new.given_name, new.family_name, new.picture) BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER session_changed AFTER UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
CREATE TRIGGER session_removed AFTER DELETE ON sessions BEGIN
     INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;
COMMIT;
