package dev.tilewright.api.gate;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.tilewright.api.task.TaskDesk;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a run has taken of its tasks it keeps itself: after a day, when no worker sends a report again, they go. */
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
