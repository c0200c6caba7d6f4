package dev.tilewright.api.platform.process;

import java.util.Locale;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * The local worker in {@code /actuator/health}, which says how the whole installation is: out of service while the
 * worker is away, down once it is given up. {@code /actuator/health/readiness} is the service's own: it answers, and
 * other workers may do the work.
 */
@Component
record LocalWorkerHealthIndicator(LocalWorker worker) implements HealthIndicator {

    @Override
    public Health health() {
        LocalWorker.Status status = worker.status();
        Health.Builder health = switch (status.state()) {
            case OFF, RUNNING -> Health.up();
            case STARTING -> status.restarts() == 0 ? Health.unknown() : Health.outOfService();
            case RESTARTING -> Health.outOfService();
            case FAILED -> Health.down();
        };
        return health.withDetail("state", status.state().name().toLowerCase(Locale.ROOT))
                .withDetail("detail", status.detail())
                .withDetail("restarts", status.restarts())
                .build();
    }
}
