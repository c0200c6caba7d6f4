package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.TinyKernel.Context;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** A CTA may not end while another one of its cluster still reaches into its shared memory. */
class EarlyExitTest {
    private static final int SEEDS = 20;

    /**
     * Rank 0 does something in the shared memory of rank 1; then they meet.
     *
     * @param visit with the address there of the tiny kernel's barrier, or of its data
     * @param last how they arrive at the end
     */
    private static TinyKernel kernel(boolean atBarrier, BiConsumer<CodeBuilder, ClusterAddress> visit, Sem last) {
        return new TinyKernel(32, 2, p -> {
            begin(p);
            p.b().ifThen(p.b().eq(p.thread(), 0), o -> {
                Reg<B32> rank = o.special(SpecialRegister.CLUSTER_CTARANK);
                int offset = (atBarrier ? p.barriers() : p.data()).offset();
                o.ifThen(o.eq(rank, 0), visitor -> visit.accept(visitor, ofRankOne(visitor, p, offset)));
            });
            p.b().clusterArrive(last);
            p.b().clusterWait();
        });
    }

    /** Each rank makes its barrier, and all meet. */
    private static void begin(Context p) {
        p.b().ifThen(p.b().eq(p.thread(), 0), o -> {
            o.mbarrierInit(p.barriers().barrier(p.base(), 0), 1);
            o.fenceBarrierInit();
        });
        p.b().clusterArrive(Sem.RELAXED);
        p.b().clusterWait();
    }

    private static ClusterAddress ofRankOne(CodeBuilder b, Context p, int offset) {
        return ClusterAddress.of(
                b.mapToRank(b.add(p.base(), offset), Immediate.b32(1)).base());
    }

    private static void isFine(TinyKernel kernel) {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(kernel.run(seed)).isInstanceOf(RunEnd.Completed.class);
        }
    }

    private static Finding found(TinyKernel kernel) {
        Finding finding = kernel.finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.EarlyExit.class);
        return finding;
    }

    @Test
    void anArrivalBehindARelaxedMeeting() {
        Finding finding = found(kernel(true, CodeBuilder::mbarrierArrive, Sem.RELAXED));
        assertThat(finding.message())
                .contains(
                        "exit too early: CTA 1 may have ended before the arrival of",
                        "'mbarrier.arrive",
                        "(CTA 0 rank 0, warp 0, lane 0)",
                        "reaches bar[0] of CTA 1: the arrival at the cluster barrier at",
                        "'barrier.cluster.arrive.relaxed",
                        "is relaxed, without a fence before it");
        assertThat(finding.site().instruction()).startsWith("ret");
        assertThat(finding.rule()).isEqualTo(Rule.RELAXED_EXIT_BARRIER);
        assertThat(finding.rule().vendorIdiom()).isTrue();
    }

    @Test
    void anArrivalBeforeAReleasingMeeting() {
        isFine(kernel(true, CodeBuilder::mbarrierArrive, Sem.RELEASE));
    }

    @Test
    void aStoreBehindARelaxedMeeting() {
        Finding finding = found(kernel(false, (b, at) -> b.st32(at, Immediate.b32(7)), Sem.RELAXED));
        assertThat(finding.message()).contains("reaches the shared memory of CTA 1");
        isFine(kernel(false, (b, at) -> b.st32(at, Immediate.b32(7)), Sem.RELEASE));
    }

    /** Whoever has seen the phase end knows of its arrivals, whatever the meeting is. */
    @Test
    void anArrivalThatWasWaitedFor() {
        isFine(new TinyKernel(32, 2, p -> {
            Reg<B32> rank = p.b().special(SpecialRegister.CLUSTER_CTARANK);
            begin(p);
            p.b().ifThen(p.b().eq(p.thread(), 0), o -> {
                o.ifThen(
                        o.eq(rank, 0),
                        visitor -> visitor.mbarrierArrive(
                                ofRankOne(visitor, p, p.barriers().offset())));
                o.ifThen(o.eq(rank, 1), host -> host.waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0)));
            });
        }));
    }
}
