#!/bin/sh
# Runs once, when Postgres makes its data folder: the login of the dashboards. What it may read, the migrations grant.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$TILEWRIGHT_READER_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role tilewright_reader login password :'password';
SQL
