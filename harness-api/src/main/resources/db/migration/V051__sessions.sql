-- Sessions of browsers: the SHA-256 of each id, never the id. A session of a stored token is deleted with the token. One
-- of a token that the service was started with has a seal, which that token alone confirms: the token is not stored.
create table browser_session (
    id_hash    text primary key check (id_hash ~ '^[0-9a-f]{64}$'),
    caller     text not null,
    token_name text references access_token (name) on delete cascade,
    seal       text,
    ends_at    timestamptz not null,
    check ((token_name is null) <> (seal is null))
);

create index browser_session_of_caller on browser_session (caller, ends_at);
create index browser_session_of_token on browser_session (token_name);

-- Keys that all replicas share, drawn by the first service of the database.
create table service_key (
    purpose text primary key,
    key     text not null
);
