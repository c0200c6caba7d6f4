package dev.tilewright.api.platform.process;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Shows the local worker in {@code /actuator/health}; a service without a worker is still up. */
@Component
final class LocalWorkerHealthIndicator implements HealthIndicator {

    private final LocalWorker worker;

    LocalWorkerHealthIndicator(LocalWorker worker) {
        this.worker = worker;
    }

    @Override
    public Health health() {
        LocalWorker.Status status = worker.status();
        return Health.up()
                .withDetail("state", status.state().name().toLowerCase(java.util.Locale.ROOT))
                .withDetail("detail", status.detail())
                .build();
    }
}
