package dev.tilewright.worker.gpu.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The emulator adds up as the tensor core did that {@link RecordedSums} tells of, to the bit. */
class SumsTest {

    static List<RecordedSums.Case> recorded() throws IOException {
        return RecordedSums.read().cases();
    }

    @Test
    void everyPairIsRecorded() throws IOException {
        assertThat(recorded()).extracting(RecordedSums.Case::pair).containsExactlyElementsOf(SumInputs.PAIRS);
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void theEmulatorAddsUpAsTheTensorCoreDid(RecordedSums.Case recorded) {
        byte[] d = SumRun.of(new EmulatedGpu(0), SumInputs.of(recorded.pair()));
        assertThat(recorded.differences(d)).isEmpty();
        assertThat(RecordedSums.sha256(d)).isEqualTo(recorded.output());
    }
}
