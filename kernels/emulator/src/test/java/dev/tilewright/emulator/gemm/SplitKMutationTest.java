package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.gemm.ChangedGemm.Change;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.WarpExchange.BarrierVote;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hands the sums of a piece over cannot be weaker or missing without a report. */
class SplitKMutationTest {

    /** Kernels that add up pieces. */
    enum Pieces {
        /** Each tile in two. */
        EVEN("scheduler=static splitK=2 consumers=1 registers=0 tileM=64 tileN=64", 72, 264),
        /** Three tiles of ten blocks shared by four SMs, each cut into two pieces. */
        SHARED("streamK=remainder consumers=1 registers=0 tileM=64 tileN=64", 56, 584);

        private final ChangedGemm gemm;

        Pieces(String config, int n, int k) {
            gemm = new ChangedGemm(new GemmCase(config, 136, n, k, Data.INTEGERS, false));
        }
    }

    private static void isReportedAsARace(Pieces pieces, Change change) {
        assertThat(pieces.gemm.findings(change))
                .isNotEmpty()
                .anySatisfy(message -> assertThat(message).containsIgnoringCase("global"));
    }

    @ParameterizedTest
    @EnumSource
    void theKernelItselfIsRight(Pieces pieces) {
        assertThat(pieces.gemm.findings()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aCountThatDoesNotRelease(Pieces pieces) {
        isReportedAsARace(pieces, Change.counted(Ordering.acquire(Scope.GPU)));
    }

    @ParameterizedTest
    @EnumSource
    void aCountThatDoesNotAcquire(Pieces pieces) {
        isReportedAsARace(pieces, Change.counted(Ordering.release(Scope.GPU)));
    }

    @ParameterizedTest
    @EnumSource
    void aCountForTheOwnCtaAlone(Pieces pieces) {
        assertThat(pieces.gemm.findings(Change.counted(Ordering.acqRel(Scope.CTA))))
                .isNotEmpty();
    }

    /** Without it thread 0 counts the piece while others of the warpgroup still store. */
    @ParameterizedTest
    @EnumSource
    void aCountBeforeTheWarpgroupHasMet(Pieces pieces) {
        isReportedAsARace(pieces, Change.withoutBehindStores(Barrier.CtaBarrier.class, StateSpace.GLOBAL));
    }

    /** Without it each thread knows of itself alone: thread 0 adds up its part, the others do not. */
    @Test
    void aVoteThatIsNotTaken() {
        assertThat(Pieces.SHARED.gemm.findings(Change.without(BarrierVote.class)))
                .isNotEmpty();
    }

    /** Too soon for two pieces, so that nobody is the last one; too late, so that the next launch counts on. */
    @Test
    void aCountThatWrapsElsewhere() {
        assertThat(Pieces.SHARED.gemm.findings(Change.wrapped(Immediate.b32(0))))
                .hasSize(ChangedGemm.SEEDS);
        assertThat(Pieces.SHARED.gemm.findings(Change.wrapped(Immediate.b32(2))))
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).startsWith("arrivals are left at [2, 0, 0, 0, 2,"));
    }

    @Test
    void dutiesThatAreReadBeforeTheyAreTold() {
        assertThat(Pieces.EVEN.gemm.findings(Change.withoutBehindStores(Barrier.CtaBarrier.class, StateSpace.SHARED)))
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).contains("reads panels+0"));
    }

    /** Who sees that all are there reads what they have left. */
    @Test
    void aLookThatDoesNotAcquire() {
        isReportedAsARace(Pieces.EVEN, Change.acquired(Ordering.relaxed(Scope.GPU)));
    }

    /** The last one reads the panels of who has given up; who is too late for that reads those of all others. */
    @Test
    void whoGivesUpWithoutReleasingOrAcquiring() {
        isReportedAsARace(Pieces.EVEN, Change.counted(Ordering.acquire(Scope.GPU), SplitKMutationTest::marks));
        isReportedAsARace(Pieces.EVEN, Change.counted(Ordering.release(Scope.GPU), SplitKMutationTest::marks));
    }

    private static boolean marks(Operand<?> operand) {
        return operand instanceof Reg<?>;
    }

    @Test
    void aCountThatIsNotTakenBack() {
        assertThat(Pieces.EVEN.gemm.findings(Change.withoutReductions(Sem.RELEASE)))
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).startsWith("arrivals are left at [2,"));
    }

    @Test
    void aMarkThatCameTooLateAndIsNotTakenBack() {
        assertThat(Pieces.EVEN.gemm.findings(Change.withoutReductions(Sem.RELAXED)))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message).startsWith("arrivals are left at [0,"));
    }

    /** Whether one that waits looks once or often, somebody adds up every panel, and nobody waits for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5_000})
    void howOftenAPieceLooksDecidesNothing(int looks) {
        assertThat(Pieces.EVEN.gemm.findings(Change.set(Immediate.b32(16), Immediate.b32(looks))))
                .isEmpty();
    }
}
