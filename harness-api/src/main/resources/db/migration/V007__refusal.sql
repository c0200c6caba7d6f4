-- Which workers cannot do a study, such as one of another build: they are not offered it again.

create table refusal (
    worker_id  uuid not null,
    study_id   uuid not null references study on delete cascade,
    reason     text not null,
    refused_at timestamptz not null,
    primary key (worker_id, study_id)
);

create index refusal_of_study on refusal (study_id);

alter table study drop column refusals;
