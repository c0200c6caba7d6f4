package dev.tilewright.api.job;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.tilewright.api.idempotency.IdempotencyKeys;
import dev.tilewright.api.worker.WorkerService;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Forgetting what nobody asks for any more; results are kept for ever. */
@Configuration(proxyBeanMethods = false)
class JobTasks {

    private static final Duration RETENTION = Duration.ofHours(1);

    @Bean
    RecurringTask<Void> retentionTask(IdempotencyKeys keys, WorkerService workers) {
        return Tasks.recurring("retention", FixedDelay.of(RETENTION)).execute((instance, context) -> {
            keys.forget();
            workers.forget();
        });
    }
}
