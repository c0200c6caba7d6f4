package dev.tilewright.api.retention;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.tilewright.api.platform.database.ConnectionPool;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs the deletion once an hour, on one replica. */
@Configuration(proxyBeanMethods = false)
class RetentionConfiguration {

    private static final Duration PERIOD = Duration.ofHours(1);

    @Bean
    RecurringTask<Void> deletionTask(Retention retention) {
        return Tasks.recurring("deletion", FixedDelay.of(PERIOD))
                .execute((instance, context) -> ConnectionPool.STUDIES.run(retention::run));
    }
}
