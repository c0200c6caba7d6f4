package dev.tilewright.api.gate.schedule;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Looks for gates whose time has come, on one replica at a time. */
@Configuration(proxyBeanMethods = false)
class GateScheduleTask {

    private static final Duration LOOK = Duration.ofSeconds(10);

    @Bean
    RecurringTask<Void> gateSchedulesTask(GateSchedules schedules) {
        return Tasks.recurring("gate-schedules", FixedDelay.of(LOOK))
                .execute((instance, context) -> schedules.runDue());
    }
}
