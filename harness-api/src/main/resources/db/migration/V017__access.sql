-- Who may ask, and for what: the SHA-256 of each token, never the token. A revoked one is deleted.
create table access_token (
    name       text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
    role       text not null check (role in ('reader', 'submitter', 'operator', 'worker')),
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_by text not null,
    created_at timestamptz not null
);

-- Name of the token that a job was submitted with: a submitter cancels its own.
alter table job add column submitted_by text;

-- What a worker speaks. One that was registered before there was a number registers anew.
alter table worker add column protocol integer check (protocol >= 1);
