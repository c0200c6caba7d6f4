package dev.tilewright.api.gate.schedule;

import dev.tilewright.api.platform.database.BackgroundLoop;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.process.FatalErrors;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Submits runs of gates by their schedules, on every replica: one of them takes each time. */
@Service
final class GateScheduleLoop extends BackgroundLoop {

    private static final Duration LOOK = Duration.ofSeconds(10);

    private final GateSchedules schedules;

    /** @param background whether it looks by itself */
    GateScheduleLoop(
            GateSchedules schedules,
            FatalErrors fatal,
            Notifications notifications,
            @Value("${db-scheduler.enabled:true}") boolean background) {
        super(fatal, notifications, "gate-schedules", "schedules of gates", LOOK, background);
        this.schedules = schedules;
    }

    @Override
    protected boolean look() {
        schedules.runDue();
        return !schedules.all().isEmpty();
    }
}
