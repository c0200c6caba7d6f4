package dev.tilewright.worker.agent.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which part of a GPU's wait is the assembler's. */
class BegunTest {

    @ParameterizedTest
    @CsvSource({
        "10, 20, 30, 40,  0, made before the GPU waited",
        "10, 35, 30, 40,  5, made in the first part of the wait",
        "32, 40, 30, 40,  8, begun during the wait",
        "32, 36, 30, 40,  4, begun and made during the wait",
        "10, 50, 30, 40, 10, not made when the wait ended",
    })
    void aWaitIsTheAssemblersWhileTheKernelIsMade(
            long from, long until, long first, long second, long within, String because) {
        assertThat(new Begun.Making(from, CompletableFuture.completedFuture(until)).within(first, second))
                .as(because)
                .isEqualTo(within);
    }
}
