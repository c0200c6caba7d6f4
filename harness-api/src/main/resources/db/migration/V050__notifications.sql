-- Work and events are notified as they commit, so that nobody asks for them again and again.
-- Channel work: the id of the testbed that the work belongs to, empty for any. Channel event: the id of the job.

create function notify_work() returns trigger language plpgsql as $$
begin
    perform pg_notify('work', '');
    return null;
end $$;

create function notify_work_of_study() returns trigger language plpgsql as $$
begin
    perform pg_notify('work', coalesce((select testbed_id::text from study where id = new.study_id), ''));
    return null;
end $$;

create function notify_event() returns trigger language plpgsql as $$
begin
    perform pg_notify('event', new.job_id::text);
    return null;
end $$;

create trigger queued_is_notified after insert on study_queue for each statement execute function notify_work();
create trigger state_is_notified after update of state on study for each row
    when (old.state <> new.state) execute function notify_work();

create trigger queued_is_notified after insert on trial for each row
    when (new.state = 'queued') execute function notify_work_of_study();
create trigger requeued_is_notified after update of state on trial for each row
    when (new.state = 'queued' and old.state <> 'queued') execute function notify_work_of_study();

create trigger queued_is_notified after insert on final_run for each row
    when (new.state = 'queued') execute function notify_work_of_study();
create trigger requeued_is_notified after update of state on final_run for each row
    when (new.state = 'queued' and old.state <> 'queued') execute function notify_work_of_study();

create trigger queued_is_notified after insert on gpu_task for each statement execute function notify_work();
create trigger state_is_notified after update of state on gpu_task for each row
    when (new.state <> 'leased' and old.state <> new.state) execute function notify_work();

create trigger queued_is_notified after insert on gate_run for each statement execute function notify_work();
create trigger retuning_is_notified after update of retuning on gate_run for each row
    when (new.retuning and not old.retuning) execute function notify_work();
create trigger schedule_is_notified after insert or update on gate_schedule
    for each statement execute function notify_work();

-- A device that comes changes what other devices may take.
create trigger device_is_notified after insert on worker_device for each statement execute function notify_work();

create trigger event_is_notified after insert on event for each row execute function notify_event();

-- Schedules of gates are submitted by a loop of the service.
delete from scheduled_tasks where task_name = 'gate-schedules';
