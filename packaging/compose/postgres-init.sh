#!/bin/sh
# Runs once, when Postgres makes its data folder: the login of the service, which owns the database and is no superuser,
# and that of the dashboards. The migrations grant the reads of dashboards. The superuser loses its password: it is
# reached from inside of the container alone.
# The image has read POSTGRES_PASSWORD from its file. psql reads passwords itself: on its command line everybody could.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
\set password `printf %s "$POSTGRES_PASSWORD"`
create role tilewright login password :'password';
alter database tilewright owner to tilewright;
alter role postgres password null;
\set password `cat "$TILEWRIGHT_READER_PASSWORD_FILE"`
create role tilewright_reader login password :'password';
SQL
