package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CTAs of a cluster do not meet at the end: each waits until the others have handed back its stages, and rank 0 of an
 * atomic grid until they have handed back the records of its ring. Without that a CTA may leave too early.
 */
class ClusterExitTest {

    /**
     * @param behind label of the code that waits: the loop of the load thread, or what follows the scheduler's tiles
     */
    @ParameterizedTest
    @CsvSource({
        "scheduler=static clusterM=2 multicast=both, DRAIN, loadEmpty",
        "scheduler=single clusterM=2 clusterN=2 multicast=a consumers=1 registers=0 tileM=64 tileN=64, DRAIN, loadEmpty",
        "scheduler=atomic clusterN=2 consumers=1 registers=0 tileM=64 tileN=64, END_TILE, tileEmpty"
    })
    void whoeverDoesNotWaitLeavesTooEarly(String config, String behind, String barrier) {
        ChangedGemm gemm = new ChangedGemm(new GemmCase(config, 264, 136, 200, Data.INTEGERS, false));
        assertThat(gemm.findings()).isEmpty();
        List<String> findings = gemm.findings((before, instruction) ->
                instruction instanceof Mbarrier.Wait wait && lastLabel(before).startsWith(behind)
                        ? Optional.of(passed(wait))
                        : Optional.of(instruction));
        assertThat(findings)
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).containsAnyOf("exit too early: CTA ", ", which has exited"))
                .anySatisfy(message -> assertThat(message).contains("mbarrier.arrive", " reaches " + barrier));
    }

    /** The last label that is not that of a wait itself. */
    private static String lastLabel(List<Statement> before) {
        return before.stream()
                .filter(Statement.LabelTarget.class::isInstance)
                .map(target -> ((Statement.LabelTarget) target).label().name())
                .filter(name -> !name.startsWith("WAIT"))
                .reduce("", (first, second) -> second);
    }

    private static Instruction passed(Mbarrier.Wait wait) {
        return new Compare.SetPredicate(
                Compare.Relation.EQ, Optional.empty(), ScalarType.U32, wait.d(), Immediate.b32(0), Immediate.b32(0));
    }
}
