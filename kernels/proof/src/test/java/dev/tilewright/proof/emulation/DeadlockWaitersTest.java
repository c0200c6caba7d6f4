package dev.tilewright.proof.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlockWaitersTest {
    private static Waiter waiter(int statement, String instruction, int cta, int warp, String reason) {
        return new Waiter(new Site("gemm", statement, statement + 20, instruction, cta, cta % 2, warp, 0), reason);
    }

    private static final Waiter IDLE = waiter(90, "barrier.cluster.wait.acquire;", 0, 3, "the cluster barrier");
    private static final Waiter NAMED = waiter(50, "barrier.cta.sync 1, 128;", 0, 4, "named barrier 1");
    private static final Waiter EMPTY = waiter(10, "mbarrier.try_wait %p0, [%r1], %r2;", 1, 0, "phase 0 of empty[1]");
    private static final Waiter FIRST = waiter(10, "mbarrier.try_wait %p0, [%r1], %r2;", 0, 0, "phase 0 of empty[0]");

    @Test
    void mbarriersComeFirstAndTheClusterLast() {
        DeadlockWaiters waiters = new DeadlockWaiters(List.of(IDLE, NAMED, EMPTY, FIRST));
        assertThat(waiters.all()).containsExactly(FIRST, EMPTY, NAMED, IDLE);
        assertThat(waiters.first()).isEqualTo(FIRST.site());
    }

    @Test
    void whoWaitsForRegistersComesBeforeWhoWaitsForThem() {
        Waiter registers = waiter(70, "setmaxnreg.inc.sync.aligned.u32 232;", 1, 5, "2048 registers");
        assertThat(new DeadlockWaiters(List.of(FIRST, IDLE, registers)).first()).isEqualTo(registers.site());
    }

    @Test
    void oneWaiterOfEachInstructionIsNamedAndTheOthersAreCounted() {
        assertThat(new DeadlockWaiters(List.of(IDLE, EMPTY, FIRST)).lines())
                .containsExactly(
                        "gemm line 30 'mbarrier.try_wait %p0, [%r1], %r2;' (CTA 0 rank 0, warp 0, lane 0)"
                                + " waits for phase 0 of empty[0]; 1 more waits there in CTA 1",
                        "gemm line 110 'barrier.cluster.wait.acquire;' (CTA 0 rank 0, warp 3, lane 0)"
                                + " waits for the cluster barrier");
    }

    @Test
    void aDeadlockIsSeenAtItsFirstWaiterWhereverItWasFound() {
        HazardWords words =
                HazardWords.of(new Finding(new Hazard.Deadlock(List.of(IDLE, NAMED, FIRST), 0), IDLE.site()));
        assertThat(words.kind()).isEqualTo("deadlock");
        assertThat(words.site()).isEqualTo(FIRST.site());
        assertThat(words.waiters()).containsExactly(FIRST, NAMED, IDLE);
        assertThat(words.lines()).hasSize(4).first().isEqualTo("hazard: deadlock: nobody can go on");
        assertThat(words.lines().subList(1, 4)).allMatch(line -> line.startsWith("waiter: gemm line "));
    }

    @Test
    void waitersThatAreNotListedAreCounted() {
        HazardWords words = HazardWords.of(new Finding(new Hazard.Deadlock(List.of(IDLE, FIRST), 21), IDLE.site()));
        assertThat(words.message()).isEqualTo("deadlock: nobody can go on; 21 more wait at the same instructions");
    }

    @Test
    void anyOtherHazardIsSeenWhereItWasFound() {
        HazardWords words = HazardWords.of(new Finding(
                new Hazard.AccumulatorInFlight("%acc_0", "line 9 'mov.f32 %f1, %acc_0;'", "line 7 'wgmma'"),
                NAMED.site()));
        assertThat(words.kind()).isEqualTo("accumulator in flight");
        assertThat(words.site()).isEqualTo(NAMED.site());
        assertThat(words.waiters()).isEmpty();
        assertThat(words.lines())
                .singleElement()
                .asString()
                .contains("line 9 'mov.f32 %f1, %acc_0;' touches register %acc_0 before a wgmma.wait_group");
    }
}
