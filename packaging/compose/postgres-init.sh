#!/bin/sh
# Runs once, when Postgres makes its data folder: the login of the dashboards. What it may read, the migrations grant.
# psql reads the password itself: on its command line everybody could.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
\set password `cat "$TILEWRIGHT_READER_PASSWORD_FILE"`
create role tilewright_reader login password :'password';
SQL
