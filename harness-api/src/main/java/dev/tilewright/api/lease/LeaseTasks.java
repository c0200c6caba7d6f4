package dev.tilewright.api.lease;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.tilewright.api.platform.database.ConnectionPool;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Expiry without a request; db-scheduler runs it on one replica at a time. */
@Configuration(proxyBeanMethods = false)
class LeaseTasks {

    private static final Duration EXPIRY = Duration.ofSeconds(3);

    @Bean
    RecurringTask<Void> leaseExpiryTask(LeaseExpiry expiry) {
        return Tasks.recurring("lease-expiry", FixedDelay.of(EXPIRY))
                .execute((instance, context) -> ConnectionPool.STUDIES.run(expiry::sweep));
    }
}
