package dev.tilewright.api.gate;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.tilewright.api.task.TaskDesk;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Deletes tasks of gates after a day: a run keeps copies, and no worker reports on such a task again. */
@Configuration(proxyBeanMethods = false)
class GateRetention {

    private static final Duration LOOK = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofDays(1);

    @Bean
    RecurringTask<Void> gateRetentionTask(TaskDesk desk, Clock clock) {
        return Tasks.recurring("gate-retention", FixedDelay.of(LOOK))
                .execute((instance, context) ->
                        desk.forgetBefore(CaseTasks.KIND, clock.instant().minus(KEPT)));
    }
}
