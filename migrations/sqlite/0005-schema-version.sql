CREATE TABLE dashboard_schema (version INTEGER NOT NULL) STRICT;
INSERT INTO dashboard_schema VALUES (5);
