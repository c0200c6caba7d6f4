package dev.tilewright.api.platform.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

class RecentTokensTest {

    private static final Caller CI = new Caller("ci", Role.SUBMITTER);

    private final Map<String, Caller> kept = new HashMap<>();
    private int readings;
    private long now = Long.MAX_VALUE - 5;
    private RecentTokens tokens;

    @BeforeEach
    void begin() {
        tokens = new RecentTokens(
                () -> {
                    readings++;
                    return Map.copyOf(kept);
                },
                () -> now);
    }

    @Test
    void manyRequestsAreOneReadingRightOrWrong() {
        kept.put("a", CI);
        for (int i = 0; i < 100; i++) {
            assertThat(tokens.caller("a")).contains(CI);
            assertThat(tokens.caller("wrong " + i)).isEmpty();
        }
        assertThat(readings).isEqualTo(1);
    }

    @Test
    void whatAnotherReplicaRevokedIsNotTakenForLonger() {
        kept.put("a", CI);
        assertThat(tokens.caller("a")).contains(CI);
        kept.clear();
        now += RecentTokens.LIFE.toNanos() - 1;
        assertThat(tokens.caller("a")).as("up to 2 s").contains(CI);
        now++;
        assertThat(tokens.caller("a")).isEmpty();
    }

    @Test
    void whatWasRevokedHereIsNotTakenAgain() {
        kept.put("a", CI);
        assertThat(tokens.caller("a")).contains(CI);
        kept.clear();
        tokens.forget();
        assertThat(tokens.caller("a")).isEmpty();
    }

    /** Each of them waited its 2 s behind the one before: the hundredth for minutes. */
    @Test
    @Timeout(60)
    void nobodyWaitsBehindAReadingThatHangs() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch back = new CountDownLatch(1);
        RecentTokens away = new RecentTokens(() -> {
            hanging.countDown();
            await(back);
            throw new DataAccessResourceFailureException("the database is away");
        });
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Caller>> first = requests.submit(() -> away.caller("a"));
            hanging.await();
            List<Future<Optional<Caller>>> others = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                others.add(requests.submit(() -> away.caller("a")));
            }
            for (Future<Optional<Caller>> other : others) {
                assertThatThrownBy(other::get).cause().isInstanceOf(DataAccessException.class);
            }
            assertThat(first.isDone()).as("the database still hangs").isFalse();
            back.countDown();
            assertThatThrownBy(first::get).cause().hasMessage("the database is away");
        }
    }

    @Test
    void afterAFailureNobodyAsksForASecond() {
        AtomicInteger asked = new AtomicInteger();
        RecentTokens away = new RecentTokens(
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new DataAccessResourceFailureException("the database is away");
                    }
                    return Map.of("a", CI);
                },
                () -> now);
        assertThatThrownBy(() -> away.caller("a")).hasMessage("the database is away");
        now += 999_999_999;
        assertThatThrownBy(() -> away.caller("a")).isInstanceOf(DataAccessException.class);
        assertThat(asked).hasValue(1);
        now++;
        assertThat(away.caller("a")).contains(CI);
        assertThat(asked).hasValue(2);
    }

    /** Tokens that were read before a revocation on this replica do not count. */
    @Test
    void aReadingThatIsOvertakenByAChangeIsMadeAgain() {
        kept.put("a", CI);
        AtomicReference<RecentTokens> overtaken = new AtomicReference<>();
        overtaken.set(new RecentTokens(() -> {
            Map<String, Caller> read = Map.copyOf(kept);
            if (!kept.isEmpty()) {
                kept.clear();
                overtaken.get().forget();
            }
            return read;
        }));
        assertThat(overtaken.get().caller("a")).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
