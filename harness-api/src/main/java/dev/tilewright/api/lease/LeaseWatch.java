package dev.tilewright.api.lease;

import dev.tilewright.api.best.BestMeters;
import dev.tilewright.api.platform.database.BackgroundLoop;
import dev.tilewright.api.platform.database.ConnectionPool;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.work.Attention;
import dev.tilewright.api.work.LeaseRepository;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/**
 * Looks for leases whose workers fell silent, on every replica: two that look at once do no harm. Not a task of
 * db-scheduler, which runs none for an hour when the clock is set back by one.
 */
@Service
public class LeaseWatch extends BackgroundLoop {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final Attention attention;
    private final LeaseExpiry expiry;
    private final LeaseRenewal renewal;
    private final DeviceWait devices;
    private final LeaseRepository leases;
    private final QueueDepthRepository depths;
    private final BestMeters best;
    private final Clock clock;

    /** @param background whether it looks by itself */
    LeaseWatch(
            Attention attention,
            LeaseExpiry expiry,
            LeaseRenewal renewal,
            DeviceWait devices,
            LeaseRepository leases,
            QueueDepthRepository depths,
            BestMeters best,
            Clock clock,
            FatalErrors fatal,
            Notifications notifications,
            @Value("${db-scheduler.enabled:true}") boolean background) {
        super(fatal, notifications, "lease-watch", "silent workers", LOOK, background);
        this.attention = attention;
        this.expiry = expiry;
        this.renewal = renewal;
        this.devices = devices;
        this.leases = leases;
        this.depths = depths;
        this.best = best;
        this.clock = clock;
    }

    /**
     * Takes back what is overdue, and ends what waits for a device that nobody has. After a time in which workers may
     * have spoken unheard it gives all leases their whole life again instead, and whoever is silent from now on loses
     * them.
     */
    @Override
    public boolean look() {
        Instant now = clock.instant();
        if (attention.isWhole()) {
            expiry.sweep(now, attention::isWhole);
            devices.look(now);
            best.look();
        } else {
            renewal.renew(now);
            devices.restart();
            attention.restore();
        }
        return depths.isWorkOpen();
    }

    /** Attention is asked at every pause, also where nothing is open: a pause of the process is known by it. */
    @Override
    protected boolean isUrgent() {
        return !attention.isWhole();
    }

    @Override
    protected void away() {
        attention.lose();
    }

    @Override
    public void start() {
        once();
        super.start();
    }

    @Override
    public void stop() {
        super.stop();
        tellWhatLivesOn();
    }

    /** Nobody ends a lease because a service stops: its worker works on, and reports to whoever serves next. */
    private void tellWhatLivesOn() {
        try {
            LOG.info(
                    "stopping: no request is taken any more; {} leases stay live, and their workers report when a service is"
                            + " back",
                    ConnectionPool.STUDIES.call(leases::live));
        } catch (DataAccessException | TransactionException away) {
            LOG.info("stopping: no request is taken any more; the database is away");
        }
    }

    /** Before the first request: nobody is told that a worker is gone which could not be heard. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}
