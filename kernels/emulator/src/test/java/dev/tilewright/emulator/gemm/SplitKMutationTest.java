package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.gemm.ChangedGemm.Change;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What hands the sums of a piece over cannot be weaker or missing without a report. */
class SplitKMutationTest {

    /** Each tile in two pieces. */
    private static final ChangedGemm SPLIT = new ChangedGemm(new GemmCase(
            "scheduler=static splitK=2 consumers=1 registers=0 tileM=64 tileN=64", 136, 72, 264, Data.INTEGERS, false));

    private static void isReportedAsARace(Change change) {
        assertThat(SPLIT.findings(change))
                .isNotEmpty()
                .anySatisfy(message -> assertThat(message).containsIgnoringCase("global"));
    }

    @Test
    void theKernelItselfIsRight() {
        assertThat(SPLIT.findings()).isEmpty();
    }

    @Test
    void aCountThatDoesNotRelease() {
        isReportedAsARace(Change.counted(Ordering.acquire(Scope.GPU)));
    }

    @Test
    void aCountThatDoesNotAcquire() {
        isReportedAsARace(Change.counted(Ordering.release(Scope.GPU)));
    }

    @Test
    void aCountForTheOwnCtaAlone() {
        assertThat(SPLIT.findings(Change.counted(Ordering.acqRel(Scope.CTA)))).isNotEmpty();
    }

    /** Without it thread 0 counts the piece while others of the warpgroup still store. */
    @Test
    void aCountBeforeTheWarpgroupHasMet() {
        isReportedAsARace(Change.withoutBehindStores(Barrier.CtaBarrier.class, StateSpace.GLOBAL));
    }

    @Test
    void dutiesThatAreReadBeforeTheyAreTold() {
        assertThat(SPLIT.findings(Change.withoutBehindStores(Barrier.CtaBarrier.class, StateSpace.SHARED)))
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).contains("reads panels+0"));
    }

    /** Who sees that all are there reads what they have left. */
    @Test
    void aLookThatDoesNotAcquire() {
        isReportedAsARace(Change.acquired(Ordering.relaxed(Scope.GPU)));
    }

    /** The last one reads the panels of who has given up; who is too late for that reads those of all others. */
    @Test
    void whoGivesUpWithoutReleasingOrAcquiring() {
        isReportedAsARace(Change.counted(Ordering.acquire(Scope.GPU), SplitKMutationTest::marks));
        isReportedAsARace(Change.counted(Ordering.release(Scope.GPU), SplitKMutationTest::marks));
    }

    private static boolean marks(Operand<?> operand) {
        return operand instanceof Reg<?>;
    }

    @Test
    void aCountThatIsNotTakenBack() {
        assertThat(SPLIT.findings(Change.withoutReductions(Sem.RELEASE)))
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).startsWith("arrivals are left at [2,"));
    }

    @Test
    void aMarkThatCameTooLateAndIsNotTakenBack() {
        assertThat(SPLIT.findings(Change.withoutReductions(Sem.RELAXED)))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message).startsWith("arrivals are left at [0,"));
    }

    /** Whether one that waits looks once or often, somebody adds up every panel, and nobody waits for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5_000})
    void howOftenAPieceLooksDecidesNothing(int looks) {
        assertThat(SPLIT.findings(Change.set(Immediate.b32(16), Immediate.b32(looks))))
                .isEmpty();
    }
}
