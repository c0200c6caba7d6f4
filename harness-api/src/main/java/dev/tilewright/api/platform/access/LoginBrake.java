package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.MonotonicTime;
import dev.tilewright.api.platform.http.connection.Network;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Limits the wrong tokens of the login form, by network and in total. Each limit is an allowance that comes back with
 * time, so nobody is locked out. While the total is used up, a network that sent no wrong token lately still has a try:
 * strangers cannot use up the tries of others.
 */
@Component
public final class LoginBrake {

    /** Tries of one network at once; one comes back every {@link #PAUSE}. */
    static final int TRIES = 5;

    static final Duration PAUSE = Duration.ofSeconds(10);

    /** Tries of all networks at once; one comes back every {@link #PAUSE_IN_TOTAL}. */
    static final int TRIES_IN_TOTAL = 50;

    static final Duration PAUSE_IN_TOTAL = Duration.ofSeconds(1);

    /** Networks that are remembered; the one whose last try is the oldest is forgotten first. */
    private static final int MOST = 10_000;

    private final MonotonicTime time;
    private final Allowance total;
    private final Map<Network, Allowance> networks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Network, Allowance> eldest) {
            return size() > MOST;
        }
    };

    @Autowired
    LoginBrake() {
        this(System::nanoTime);
    }

    LoginBrake(MonotonicTime time) {
        this.time = time;
        this.total = new Allowance(TRIES_IN_TOTAL, PAUSE_IN_TOTAL, time);
    }

    /**
     * Takes a try, before the token is looked up.
     *
     * @return the time until the next try may be had; empty if this one may go on
     */
    public synchronized Optional<Duration> take(Network network) {
        Allowance own = networks.computeIfAbsent(network, unknown -> new Allowance(TRIES, PAUSE, time));
        Duration wait = own.untilNext();
        if (wait.isZero() && !own.isWhole()) {
            wait = total.untilNext();
        }
        if (!wait.isZero()) {
            return Optional.of(wait);
        }
        own.take();
        total.take();
        return Optional.empty();
    }

    /** Gives a try back: its token was right. */
    public synchronized void giveBack(Network network) {
        Allowance own = networks.get(network);
        if (own != null) {
            own.giveBack();
        }
        total.giveBack();
    }
}
