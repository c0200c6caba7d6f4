package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.gemm.ChangedGemm.Change;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.WarpExchange.BarrierVote;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        isReportedAsARace(pieces, Change.withoutBehindStores(Barrier.CtaBarrier.class));
    }

    /** Without it each thread knows of itself alone: thread 0 adds up its part, the others do not. */
    @ParameterizedTest
    @EnumSource
    void aVoteThatIsNotTaken(Pieces pieces) {
        assertThat(pieces.gemm.findings(Change.without(BarrierVote.class))).isNotEmpty();
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
}
