package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.testing.Awaiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** After any failure of a look another look follows, or the process halts. */
class BackgroundLoopTest {

    /** Notes that it would halt. */
    private static final class Noted extends FatalErrors {

        private final List<Integer> halts = new CopyOnWriteArrayList<>();

        @Override
        protected void halt(int code) {
            halts.add(code);
        }
    }

    private final Noted noted = new Noted();

    /** Every loop looks at every pause while nobody listens to Postgres. */
    private static final Notifications NEVER_STARTED = new Notifications(new JdbcConnectionDetails() {
        @Override
        public String getJdbcUrl() {
            return "jdbc:postgresql://nowhere.invalid/none";
        }

        @Override
        public String getUsername() {
            return "nobody";
        }

        @Override
        public String getPassword() {
            return "none";
        }
    });

    /** Looks, and fails the first time. */
    private final class Failing extends BackgroundLoop {

        private final Throwable failure;
        private final AtomicInteger looks = new AtomicInteger();

        Failing(Throwable failure) {
            super(noted, NEVER_STARTED, "test-loop", "nothing", Duration.ofMillis(1), true);
            this.failure = failure;
        }

        @Override
        protected boolean look() {
            if (looks.incrementAndGet() == 1) {
                throw BackgroundLoopTest.<RuntimeException>sneaky(failure);
            }
            return true;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    private void loopOver(Throwable failure) {
        Failing loop = new Failing(failure);
        loop.start();
        Awaiting.until(() -> loop.looks.get() > 1);
        loop.stop();
    }

    static List<Throwable> failuresOfOneLook() {
        return List.of(
                new IllegalStateException("a bug"), new AssertionError("a bug"), new StackOverflowError("too deep"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfOneLook")
    void afterALookThatFailedComesTheNext(Throwable failure) {
        loopOver(failure);
        assertThat(noted.halts).isEmpty();
    }

    static List<Throwable> errorsThatLeaveTheStateUnknown() {
        return List.of(
                new OutOfMemoryError("scripted"),
                new NoClassDefFoundError("dev/tilewright/Replaced"),
                new InternalError("scripted"));
    }

    @ParameterizedTest
    @MethodSource("errorsThatLeaveTheStateUnknown")
    void anErrorThatLeavesTheStateUnknownHaltsTheProcess(Throwable failure) {
        loopOver(failure);
        assertThat(noted.halts).containsExactly(70);
    }

    @Test
    void aFailureOfOneThingIsNotFatal() {
        noted.haltAfter(new IllegalStateException("a bug", new AssertionError()), "a test");
        assertThat(noted.halts).isEmpty();
    }
}
