-- One small study on an invented device, enough for every panel to have a row.

insert into testbed values ('00000000-0000-0000-0000-000000000001', 'cuda', 'Example GPU', 'driver 1', 'ptxas 13.0', 4, 'default', now(), now());
insert into worker values ('00000000-0000-0000-0000-000000000007', 'node', 42, '{}', now(), now());
insert into worker_device values ('00000000-0000-0000-0000-000000000007', 'cuda:0', '00000000-0000-0000-0000-000000000001');

insert into job (id, name, state, options, created_at)
values ('00000000-0000-0000-0000-000000000002', 'example', 'running',
        '{"family": "sm90-gemm", "strategy": "random", "budget": {"trials": 2}, "seed": 1, "device": "auto", "check": false}', now());

insert into study (id, job_id, ordinal, problem, m, n, k, dtype, family, state, testbed_id, family_build, space_hash, space, started_at)
values ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000002', 0, '{}', 384, 256, 128, 'bf16', 'sm90-gemm',
        'running', '00000000-0000-0000-0000-000000000001', 'build', 'hash',
        '{"points": 12, "size": 9, "prunedBy": {"sharedMemory": 2, "registers": 1}}', now());

insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, attempts, fence, error_ratio, registers, spill_bytes,
                   shared_bytes, evidence, created_at, finished_at, finish_seq)
values ('00000000-0000-0000-0000-000000000011', '00000000-0000-0000-0000-000000000003', 0, 'sm90-gemm', '{"scheduler": "static"}',
        repeat('a', 64), 'finished', 'completed', 1, 1, 0.3, 168, 0, 99328,
        '{"tilesPerSm": [2, 2, 1, 1], "idleTailFraction": 0.25}', now(), now(), 1),
       ('00000000-0000-0000-0000-000000000012', '00000000-0000-0000-0000-000000000003', 1, 'sm90-gemm', '{"scheduler": "atomic"}',
        repeat('b', 64), 'finished', 'spill', 1, 1, null, 168, 64, 99328, null, now(), now(), 2);

insert into lease (id, study_id, trial_id, worker_id, device, fence, attempt, granted_at, expires_at, ended_at, ending)
values ('00000000-0000-0000-0000-000000000021', '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000011',
        '00000000-0000-0000-0000-000000000007', 'cuda:0', 1, 1, now() - interval '1 s', now() + interval '1 min', now(), 'reported');

insert into final_run (study_id, state, contenders, created_at)
values ('00000000-0000-0000-0000-000000000003', 'queued', '[]', now());
insert into final_arm (id, study_id, name, trial_id, family, config, outcome, log)
values ('00000000-0000-0000-0000-000000000031', '00000000-0000-0000-0000-000000000003', 'trial 0',
        '00000000-0000-0000-0000-000000000011', 'sm90-gemm', '{"scheduler": "static"}', 'completed', '');

insert into measurement (study_id, trial_id, arm_id, mode, stage, blocks, launches, median_ns, ci_low_ns, ci_high_ns, tflops, created_at)
values ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000011', null, 'sustained', 'screen', 5, 50, 100, 99, 101,
        0.25, now()),
       ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000011', '00000000-0000-0000-0000-000000000031',
        'sustained', 'final', 5, 50, 90, 89, 91, 0.28, now());

-- A study that is over, with a peer in its final.
insert into job (id, name, state, options, created_at, finished_at)
select '00000000-0000-0000-0000-000000000102', 'example final', 'finished', options, now(), now()
from job where id = '00000000-0000-0000-0000-000000000002';
insert into study (id, job_id, ordinal, problem, m, n, k, dtype, family, state, testbed_id, family_build, space_hash, space, started_at,
                   finished_at)
values ('00000000-0000-0000-0000-000000000103', '00000000-0000-0000-0000-000000000102', 0, '{}', 2048, 1024, 768, 'bf16', 'sm90-gemm',
        'finished', '00000000-0000-0000-0000-000000000001', 'build', 'hash', '{"points": 12, "size": 9}', now(), now());
insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, attempts, fence, created_at, finished_at, finish_seq)
values ('00000000-0000-0000-0000-000000000111', '00000000-0000-0000-0000-000000000103', 0, 'sm90-gemm', '{"scheduler": "atomic"}',
        repeat('c', 64), 'finished', 'completed', 1, 1, now(), now(), 3),
       ('00000000-0000-0000-0000-000000000112', '00000000-0000-0000-0000-000000000103', 1, 'sm90-gemm', '{"scheduler": "single"}',
        repeat('d', 64), 'finished', 'completed', 1, 1, now(), now(), 4);
insert into final_run (study_id, state, contenders, created_at, finished_at)
values ('00000000-0000-0000-0000-000000000103', 'finished', '[]', now(), now());
insert into final_arm (id, study_id, name, trial_id, family, config, outcome, log)
values ('00000000-0000-0000-0000-000000000131', '00000000-0000-0000-0000-000000000103', 'ours', '00000000-0000-0000-0000-000000000111',
        'sm90-gemm', '{"scheduler": "atomic"}', 'completed', ''),
       ('00000000-0000-0000-0000-000000000132', '00000000-0000-0000-0000-000000000103', 'cublaslt:0', null, 'cublaslt',
        '{"algorithm": 0}', 'completed', ''),
       -- Two that left the final early, and were faster in what they had of it.
       ('00000000-0000-0000-0000-000000000133', '00000000-0000-0000-0000-000000000103', 'early', '00000000-0000-0000-0000-000000000112',
        'sm90-gemm', '{"scheduler": "single"}', 'completed', ''),
       ('00000000-0000-0000-0000-000000000134', '00000000-0000-0000-0000-000000000103', 'cublaslt:1', null, 'cublaslt',
        '{"algorithm": 1}', 'completed', '');
insert into measurement (study_id, trial_id, arm_id, mode, stage, blocks, launches, median_ns, ci_low_ns, ci_high_ns, tflops, sm_clock_mhz,
                         power_watts, temperature_celsius, created_at)
values ('00000000-0000-0000-0000-000000000103', '00000000-0000-0000-0000-000000000111', '00000000-0000-0000-0000-000000000131',
        'sustained', 'final', 12, 120, 5000, 4950, 5050, 644, 1700, 620, 58, now()),
       ('00000000-0000-0000-0000-000000000103', null, '00000000-0000-0000-0000-000000000132', 'sustained', 'final', 12, 120, 5100, 5050,
        5150, 632, 1700, 620, 58, now()),
       ('00000000-0000-0000-0000-000000000103', '00000000-0000-0000-0000-000000000112', '00000000-0000-0000-0000-000000000133',
        'sustained', 'final', 4, 40, 4900, 4800, 5000, 657, 1700, 620, 58, now()),
       ('00000000-0000-0000-0000-000000000103', null, '00000000-0000-0000-0000-000000000134', 'sustained', 'final', 4, 40, 5000, 4900,
        5100, 644, 1700, 620, 58, now());
insert into arm_ratio values ('00000000-0000-0000-0000-000000000131', '00000000-0000-0000-0000-000000000132', 'sustained', 1.02, 1.01, 1.03, 12);

-- A run of a gate: a case that is slower, and the two sentinels.
insert into gate_run (id, gate, commit, branch, selector, seed, submitted_by, state, host, device, testbed_id, gpu_seconds, decision, verdict,
                      reason, created_at, finished_at)
values ('00000000-0000-0000-0000-000000000201', 'main', 'c0ffee', 'main', 'cuda:all', 1, 'ci', 'finished', 'node', 'cuda:0',
        '00000000-0000-0000-0000-000000000001', 4.5, '1', 'fail', 'one case is slower', now(), now());
insert into gate_case (run_id, ordinal, name, sentinel, spec, verdict, reason, effect)
values ('00000000-0000-0000-0000-000000000201', 0, 'square', null, '{}', 'fail', 'slower',
        '{"percent": 2.1, "low": 1.8, "high": 2.4}'),
       ('00000000-0000-0000-0000-000000000201', 1, 'equal', 'equal', '{}', 'pass', 'the same',
        '{"percent": 0.01, "low": -0.1, "high": 0.1}'),
       ('00000000-0000-0000-0000-000000000201', 2, 'slowed', 'slowed', '{}', 'fail', 'slower',
        '{"percent": 5.0, "low": 4.8, "high": 5.2}');

-- A comparison that the worker holds.
insert into gpu_task (id, kind, selector, makers, request, state, attempts, fence, created_at)
values ('00000000-0000-0000-0000-000000000301', 'comparison', 'cuda:0', '{}', '{}', 'leased', 1, 1, now());
insert into lease (id, task_id, worker_id, device, fence, attempt, granted_at, expires_at)
values ('00000000-0000-0000-0000-000000000302', '00000000-0000-0000-0000-000000000301',
        '00000000-0000-0000-0000-000000000007', 'cuda:0', 1, 1, now(), now() + interval '1 minute');
