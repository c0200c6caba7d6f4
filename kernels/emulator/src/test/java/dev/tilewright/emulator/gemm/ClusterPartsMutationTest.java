package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.ChangedGemm.Change;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The sums of the parts of a cluster cannot be handed over weaker, too early or in another order without a report. */
class ClusterPartsMutationTest {

    /** Two panels in four parts: two parts add up one each, two none. */
    private static final String KERNEL =
            "clusterK=4 consumers=1 registers=0 tileM=64 tileN=64 epilogueN=32 loadStages=2 tileK=64 ";

    /** Each cluster has several tiles. */
    private static final ChangedGemm GEMM =
            new ChangedGemm(new GemmCase(KERNEL + "scheduler=static", 136, 136, 264, Data.INTEGERS, false));

    /** Bytes of the sums of a panel that one part sends. */
    private static final int SENT = 64 * 32 * Float.BYTES;

    private static final String ARRIVED = "the sums of the other parts";
    private static final String FREE = "the sums of the tile before";
    private static final String END = "the sums of the last tile";

    /** The waits behind such a comment become another instruction. */
    private static Change waits(String behind, Function<Mbarrier.Wait, Instruction> other) {
        return (before, instruction) ->
                instruction instanceof Mbarrier.Wait wait && lastComment(before).contains(behind)
                        ? Optional.of(other.apply(wait))
                        : Optional.of(instruction);
    }

    private static String lastComment(List<Statement> before) {
        return before.reversed().stream()
                .filter(Statement.Comment.class::isInstance)
                .map(comment -> ((Statement.Comment) comment).text())
                .findFirst()
                .orElse("");
    }

    private static Instruction passed(Mbarrier.Wait wait) {
        return new Compare.SetPredicate(
                Compare.Relation.EQ, Optional.empty(), ScalarType.U32, wait.d(), Immediate.b32(0), Immediate.b32(0));
    }

    private static Instruction inTheCta(Mbarrier.Wait wait) {
        return new Mbarrier.Wait(wait.mode(), Ordering.DEFAULT, wait.d(), wait.barrier(), wait.phase(), wait.hint());
    }

    @Test
    void theKernelItselfIsRight() {
        assertThat(GEMM.findings()).isEmpty();
    }

    @Test
    void sumsThatAreReadBeforeTheyHaveCome() {
        assertThat(GEMM.findings(waits(ARRIVED, ClusterPartsMutationTest::passed)))
                .hasSize(ChangedGemm.SEEDS)
                .allSatisfy(message -> assertThat(message).contains("sums+"));
    }

    @Test
    void sumsOfOnePartThatNobodyWaitsFor() {
        Change fewer = (before, instruction) -> instruction instanceof Mbarrier.ArriveExpectTx announced
                        && announced.bytes().equals(Immediate.b32(3 * SENT))
                ? Optional.of(
                        new Mbarrier.ArriveExpectTx(announced.ordering(), announced.barrier(), Immediate.b32(2 * SENT)))
                : Optional.of(instruction);
        assertThat(GEMM.findings(fewer)).hasSize(ChangedGemm.SEEDS);
    }

    @Test
    void aWaitThatSeesNoOtherCta() {
        assertThat(GEMM.findings(waits(ARRIVED, ClusterPartsMutationTest::inTheCta)))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message).contains("has scope .cta"));
    }

    /** The sums of the next tile go over those that are still to be read. */
    @Test
    void sumsThatAreSentBeforeTheRoomIsFree() {
        assertThat(GEMM.findings(waits(FREE, ClusterPartsMutationTest::passed))).isNotEmpty();
    }

    @Test
    void roomThatIsHandedBackWithoutRelease() {
        Change weaker = (before, instruction) -> instruction instanceof Mbarrier.Arrive arrive
                        && arrive.ordering().equals(Ordering.release(Scope.CLUSTER))
                ? Optional.of(new Mbarrier.Arrive(Ordering.DEFAULT, arrive.barrier(), arrive.count()))
                : Optional.of(instruction);
        assertThat(GEMM.findings(weaker)).isNotEmpty();
    }

    @Test
    void aCtaThatLeavesWhileAnOwnerStillArrivesThere() {
        assertThat(GEMM.findings(waits(END, ClusterPartsMutationTest::passed)))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message).containsAnyOf("exit too early: CTA ", ", which has exited"));
    }

    /** An owner that does not wait for its sums leaves while others still send some. */
    @Test
    void anOwnerThatLeavesBeforeItsSumsHaveCome() {
        ChangedGemm one = new ChangedGemm(new GemmCase(KERNEL + "scheduler=single", 72, 72, 264, Data.INTEGERS, false));
        assertThat(one.findings()).isEmpty();
        assertThat(one.findings(waits(ARRIVED, ClusterPartsMutationTest::passed)))
                .hasSize(ChangedGemm.SEEDS);
    }

    /** Sums that round have other bits in another order. */
    @Test
    void partsThatAreAddedInAnotherOrder() {
        GemmCase rounded = new GemmCase(KERNEL + "scheduler=single typeD=f32", 72, 72, 264, Data.NORMAL, false);
        byte[] right = GemmRuns.completed(rounded, GemmRuns.emulator(rounded), GemmRuns.roughEverySecond(1))
                .buffer("D");
        assertThat(new ChangedGemm(rounded).verdicts(ClusterPartsMutationTest::firstAndLastChanged, Set.of()))
                .allSatisfy(
                        end -> assertThat(((RunEnd.Completed) end).buffer("D")).isNotEqualTo(right));
    }

    /** The sums of the first and the last of the other parts have changed places. */
    private static Optional<Instruction> firstAndLastChanged(List<Statement> before, Instruction instruction) {
        if (!(instruction instanceof Memory.Load load)
                || load.d().size() != 4
                || !(load.address() instanceof SharedAddress(var base, int offset))) {
            return Optional.of(instruction);
        }
        int other = offset / SENT;
        int instead = other == 1 ? offset : offset + (2 - 2 * other) * SENT;
        return Optional.of(new Memory.Load(
                load.ordering(), load.cache(), load.type(), load.d(), new SharedAddress(base, instead)));
    }
}
