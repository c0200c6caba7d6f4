package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Sha256;
import dev.tilewright.worker.link.Cubin;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Answers at once what it is told to; every text must be for Hopper. */
public record FakeAssembler(Function<String, AssemblyResult> answer) implements Assembler {

    /** Has the same cubin for every text. */
    public FakeAssembler() {
        this(ptx -> new AssemblyResult.Assembled(
                new Assembly(new Cubin(new byte[] {1}), Sha256.hex("cubin"), 168, 0, 0, List.of(), "")));
    }

    @Override
    public AssemblerId id() {
        return new AssemblerId("fake", "1.0", "");
    }

    @Override
    public AssemblyResult assemble(String ptx, String target, Duration limit) {
        assertThat(target).isEqualTo("sm_90a");
        return answer.apply(ptx);
    }

    @Override
    public void close() {
        // Nothing to end.
    }
}
