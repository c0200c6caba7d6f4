package dev.tilewright.api.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkedTimeTest {

    private static final Instant START = Instant.parse("2026-07-25T12:00:00Z");

    private static @Nullable Instant second(@Nullable Integer second) {
        return second == null ? null : START.plusSeconds(second);
    }

    /** Seconds: counted by the last count, when it was, since when a device works, now. */
    @ParameterizedTest
    @CsvSource({
        " 0,   ,   , 50,  0, no device ever worked",
        " 0,   , 20, 50, 30, the first lease counts from its beginning",
        " 7, 40,   , 90,  7, no device works on it since the last count",
        " 7, 40, 20, 50, 17, time before the last count is counted already",
        " 7, 20, 40, 50, 17, no device worked on it from 20 to 40",
        " 7, 60, 20, 50,  7, a replica whose clock is ahead has counted",
        " 7, 20, 60, 50,  7, a lease from a time to come",
    })
    void aDeviceThatWorksNowIsAddedToTheTimeThatIsCounted(
            int counted, @Nullable Integer at, @Nullable Integer since, int now, int whole, String because) {
        WorkedTime time = new WorkedTime(Duration.ofSeconds(counted), second(at), second(since));
        Instant end = START.plusSeconds(now);
        assertThat(time.at(end)).as(because).hasSeconds(whole);
        assertThat(time.counted(end).at(end)).as("a count changes no time").hasSeconds(whole);
        assertThat(time.counted(end).counted(end)).as("nor does a second count").isEqualTo(time.counted(end));
        assertThat(time.skipped(end).at(end)).as("a time that is not known").hasSeconds(counted);
    }
}
